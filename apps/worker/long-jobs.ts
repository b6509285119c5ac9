import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { WorkerConfig } from '#config';
import { Database, UnitOfWork } from '#database';
import { DocumentStore } from '#documents';
import type { LongJob } from '#long-jobs';
import { JobQueue } from '#queue';
import { UsageUpdateJob } from '#documents';
import { PublishingJob } from '#publishing';
import { ReplayJob } from '#webhooks';
import { Loops, type Loop } from '#loops';
import { WORKER_CONFIG } from './worker.config.js';

// The maximum pause between two steps. A job that is started or resumed during a pause waits at most this long.
const MAX_PAUSE_MS = 1_000;

/** Runs the steps of long jobs, with one loop for each kind of job. */
@Injectable()
export class LongJobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly longJobs: readonly LongJob[];
  private loops: Loop[] = [];

  constructor(
    @Inject(WORKER_CONFIG) { RETENTION_DAYS }: WorkerConfig,
    private readonly workerLoops: Loops,
    database: Database,
    unitOfWork: UnitOfWork,
    jobQueue: JobQueue,
    documentStore: DocumentStore,
  ) {
    this.longJobs = [
      new ReplayJob(database, RETENTION_DAYS, (endpoints) => jobQueue.enqueue(endpoints)),
      new UsageUpdateJob(documentStore),
      new PublishingJob(database, unitOfWork),
    ];
  }

  onApplicationBootstrap(): void {
    this.loops = this.longJobs.map((job) =>
      this.workerLoops.start(job.name, async () =>
        Math.min((await job.step()) ?? MAX_PAUSE_MS, MAX_PAUSE_MS),
      ),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}
