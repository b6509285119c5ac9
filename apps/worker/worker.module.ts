import { Module, type DynamicModule } from '@nestjs/common';
import { AssetsModule } from '#assets';
import { resolveDirectUrl, type WorkerConfig } from '#config';
import { Database, DatabaseModule } from '#database';
import { DocumentsModule, VersionPurge } from '#documents';
import { KeyRotation, KeyRotationModule } from '#key-rotation';
import { Readiness } from '#health';
import { FleetObserver } from '#fleet-observer';
import { Loops } from '#loops';
import { MetricsModule, ProgramMetrics } from '#metrics';
import { IdentityHousekeeping } from '#identity';
import { WorkspaceHousekeeping } from '#workspaces';
import { JobQueue, QueueModule } from '#queue';
import { TracingModule } from '#tracing';
import { deliveryPipeline, Sender, WebhooksModule } from '#webhooks';
import { HealthController } from './health.controller.js';
import { HousekeepingService } from './housekeeping.service.js';
import { LongJobs } from './long-jobs.js';
import { PurgeLoop } from './purge-loop.js';
import { ReencryptionLoop } from './reencryption-loop.js';
import { SearchLoop } from './search-loop.js';
import { WORKER_CONFIG } from './worker.config.js';

@Module({})
export class WorkerModule {
  static forRoot(config: WorkerConfig): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        TracingModule.forRoot('galley-worker', config),
        DatabaseModule.forRoot({
          url: config.DATABASE_URL,
          poolSize: config.DATABASE_POOL_SIZE,
          applicationName: 'galley worker',
          // A worker can repeat every write. If PostgreSQL crashes and loses the latest commits, the events of these
          // commits are relayed or delivered again, which "at least once" permits.
          settings: { synchronous_commit: 'off' },
        }),
        MetricsModule.forRoot('worker', { port: config.METRICS_PORT, host: config.METRICS_HOST }),
        DocumentsModule.forRoot({
          maxExpandedBytes: config.MAX_BODY_BYTES,
          trashDays: config.TRASH_DAYS,
        }),
        AssetsModule.forRoot({
          storage: config.ASSETS_STORAGE,
          trashDays: config.TRASH_DAYS,
          // A worker deletes pictures, and neither accepts nor shows any.
          publicUrl: undefined,
          maxFileBytes: 0,
          maxFiles: 0,
          maxBytes: 0,
        }),
        KeyRotationModule.forRoot('worker', config.SECRETS_KEYS),
        QueueModule.forRoot({
          redisUrl: config.REDIS_URL,
          databaseUrl: resolveDirectUrl(config),
          prefix: config.QUEUE_PREFIX,
        }),
        WebhooksModule.forRoot({
          allowedRanges: config.WEBHOOK_ALLOWED_RANGES,
          allowedPorts: config.WEBHOOK_ALLOWED_PORTS,
          proxyUrl: config.WEBHOOK_PROXY_URL,
          allowHttp: config.NODE_ENV !== 'production',
          // A worker creates no endpoints.
          maxEndpoints: 0,
        }),
      ],
      controllers: [HealthController],
      providers: [
        IdentityHousekeeping,
        WorkspaceHousekeeping,
        ...deliveryPipeline(config.WORKER_CONCURRENCY),
        FleetObserver,
        HousekeepingService,
        LongJobs,
        Loops,
        ReencryptionLoop,
        ProgramMetrics,
        PurgeLoop,
        SearchLoop,
        VersionPurge,
        {
          provide: Readiness,
          inject: [Database, KeyRotation, JobQueue, Sender],
          useFactory: (database: Database, keys: KeyRotation, jobs: JobQueue, sender: Sender) =>
            new Readiness([
              { name: 'The database', findProblem: () => database.findProblem() },
              { name: 'SECRETS_KEYS', findProblem: () => Promise.resolve(keys.findProblem()) },
              { name: 'The queue', findProblem: () => jobs.findProblem() },
              { name: 'The proxy', findProblem: () => sender.findProblem() },
            ]),
        },
        { provide: WORKER_CONFIG, useValue: config },
      ],
    };
  }
}
