import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AssetsModule } from '#assets';
import { resolveDirectUrl, type ApiConfig } from '#config';
import { Database, DatabaseModule, UnitOfWork } from '#database';
import { KeyRotation, KeyRotationModule } from '#key-rotation';
import { Readiness } from '#health';
import { RateLimitsModule } from '#limits';
import { DocumentsModule } from '#documents';
import { MailModule } from '#mail';
import { TestSendsModule } from '#test-sends';
import { FleetObserver } from '#fleet-observer';
import { MetricsModule, ProgramMetrics } from '#metrics';
import { QueueModule, WakeUp } from '#queue';
import { TracingModule } from '#tracing';
import { PublishingModule } from '#publishing';
import { RenderingModule } from '#rendering';
import { WebhooksModule } from '#webhooks';
import { AdmissionModule } from './admission/admission.js';
import { AssetsController } from './assets/assets.controller.js';
import { AuthModule } from './auth/auth.module.js';
import { EventsController } from './events/events.controller.js';
import { GracefulStop } from './graceful-stop.js';
import { HealthController } from './health/health.controller.js';
import { ErrorFilter } from './http/error.filter.js';
import { ModulesController, ModuleVersionsController } from './documents/modules.controller.js';
import {
  TemplatesController,
  TemplateVersionsController,
} from './documents/templates.controller.js';
import { UsagesController } from './modules/usages.controller.js';
import { EnvironmentsController } from './publishing/environments.controller.js';
import { PublishingController } from './publishing/publishing.controller.js';
import { CheckingController } from './checking/checking.controller.js';
import { ImportsController } from './imports/imports.controller.js';
import { RenderingController } from './rendering/rendering.controller.js';
import { SearchController } from './search/search.controller.js';
import { TagsController } from './tags/tags.controller.js';
import { TestSendsController } from './test-sends/test-sends.controller.js';
import {
  ModuleTranslationsController,
  TemplateTranslationsController,
} from './translations/translations.controller.js';
import { TrashController } from './trash/trash.controller.js';
import { DeliveriesController } from './webhooks/deliveries.controller.js';
import { ReplaysController } from './webhooks/replays.controller.js';
import { StatisticsController } from './webhooks/statistics.controller.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { AuditController } from './workspaces/audit.controller.js';
import { ApiKeysController } from './workspaces/api-keys.controller.js';
import { MembersController } from './workspaces/members.controller.js';
import { WorkspacesController } from './workspaces/workspaces.controller.js';

@Module({})
export class ApiModule {
  static forRoot(config: ApiConfig): DynamicModule {
    const rendering = RenderingModule.forRoot(config.PUBLIC_URL);
    return {
      module: ApiModule,
      imports: [
        TracingModule.forRoot('galley-api', config),
        DatabaseModule.forRoot(
          {
            url: config.DATABASE_URL,
            poolSize: config.DATABASE_POOL_SIZE,
            applicationName: 'galley api',
          },
          {
            url: config.DATABASE_REPLICA_URL,
            redisUrl: config.REDIS_URL,
            prefix: config.QUEUE_PREFIX,
          },
        ),
        MetricsModule.forRoot('api', { port: config.METRICS_PORT, host: config.METRICS_HOST }),
        KeyRotationModule.forRoot('api', config.SECRETS_KEYS),
        QueueModule.forRoot({
          redisUrl: config.REDIS_URL,
          databaseUrl: resolveDirectUrl(config),
          prefix: config.QUEUE_PREFIX,
        }),
        RateLimitsModule.forRoot({
          quotas: {
            user: config.RATE_LIMIT_USER,
            address: config.RATE_LIMIT_ADDRESS,
            'test-sends': config.RATE_LIMIT_TEST_SENDS,
          },
          redisUrl: config.REDIS_URL,
          prefix: config.QUEUE_PREFIX,
        }),
        AdmissionModule.forRoot(config.DATABASE_POOL_SIZE),
        AuthModule.forRoot({
          issuer: config.AUTH_ISSUER,
          jwksUri: config.AUTH_JWKS_URI,
          audience: config.AUTH_AUDIENCE,
          ...(config.AUTH_WEBHOOK_SECRET && {
            webhook: {
              provider: config.AUTH_WEBHOOK_PROVIDER,
              secrets: config.AUTH_WEBHOOK_SECRET,
            },
          }),
        }),
        DocumentsModule.forRoot({
          maxExpandedBytes: config.MAX_BODY_BYTES,
          trashDays: config.TRASH_DAYS,
        }),
        AssetsModule.forRoot({
          storage: config.ASSETS_STORAGE,
          publicUrl: config.ASSETS_URL ?? config.PUBLIC_URL,
          maxFileBytes: config.MAX_ASSET_BYTES,
          maxFiles: config.MAX_ASSETS,
          maxBytes: config.MAX_ASSETS_BYTES,
          trashDays: config.TRASH_DAYS,
        }),
        PublishingModule,
        rendering,
        MailModule.forRoot({ server: config.SMTP_URL, from: config.MAIL_FROM }),
        TestSendsModule.forRoot(rendering, config.TEST_SEND_RECIPIENTS),
        WebhooksModule.forRoot({
          allowedRanges: config.WEBHOOK_ALLOWED_RANGES,
          allowedPorts: config.WEBHOOK_ALLOWED_PORTS,
          proxyUrl: config.WEBHOOK_PROXY_URL,
          allowHttp: config.NODE_ENV !== 'production',
          maxEndpoints: config.MAX_WEBHOOKS,
        }),
      ],
      controllers: [
        AssetsController,
        AuditController,
        DeliveriesController,
        EnvironmentsController,
        EventsController,
        HealthController,
        ApiKeysController,
        MembersController,
        ModulesController,
        PublishingController,
        RenderingController,
        CheckingController,
        ImportsController,
        ReplaysController,
        StatisticsController,
        TemplatesController,
        TemplateVersionsController,
        SearchController,
        TagsController,
        TestSendsController,
        TemplateTranslationsController,
        ModuleTranslationsController,
        TrashController,
        ModuleVersionsController,
        UsagesController,
        WebhooksController,
        WorkspacesController,
      ],
      providers: [
        {
          provide: Readiness,
          inject: [Database, KeyRotation],
          // The queue is not checked, because events wait in the outbox while the queue is unavailable.
          useFactory: (database: Database, keys: KeyRotation) =>
            new Readiness([
              { name: 'The database', findProblem: () => database.findProblem() },
              { name: 'SECRETS_KEYS', findProblem: () => Promise.resolve(keys.findProblem()) },
            ]),
        },
        FleetObserver,
        GracefulStop,
        ProgramMetrics,
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }

  constructor(unitOfWork: UnitOfWork, wakeUp: WakeUp) {
    unitOfWork.onCommit(() => wakeUp.signal());
  }
}
