import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LogThrottle } from '#config';
import {
  createQueueBackend,
  QUEUE_OPTIONS,
  type QueueBackend,
  type BackendQueue,
  type BackendWorker,
  type QueueOptions,
} from './backend.js';

// A job costs the worker and Redis as much as the rest of a delivery, so under load many items share one
// job. Few enough to be spread over the workers.
const ITEMS_PER_JOB = 20;
// addBulk is one pipeline: large enough to be cheap, small enough not to delay other commands.
const JOBS_PER_PIPELINE = 100;
// Jobs that a worker handles at the same time. A job is short: it ends before its deliveries are sent.
const CONCURRENT_JOBS = 5;

// PostgreSQL knows what is due, so the queue need not keep finished jobs.
const REMOVE_WHEN_FINISHED = { removeOnComplete: true, removeOnFail: true };

// Each format of the job data has its own queue name: during an update, versions of Galley with different
// formats run side by side.
const QUEUE_NAME = 'due';
// Queues of earlier versions. No worker takes their jobs, and PostgreSQL knows what is due.
const RETIRED_QUEUE_NAMES = ['turns'];

/** The queue that tells workers where to look, and the signal that the outbox has new rows. */
@Injectable()
export class JobQueue implements OnApplicationShutdown {
  private readonly logger = new Logger(JobQueue.name);
  private readonly backend: QueueBackend;
  private queue: BackendQueue | undefined;
  private worker: BackendWorker | undefined;
  private workerReady: Promise<unknown> | undefined;
  private retiredRemoval: Promise<void> | undefined;
  private isStopping = false;
  private readonly errorLog = new LogThrottle();
  // BullMQ retries without a pause while the store is available but refuses a statement.
  private readonly logError = (error: Error) =>
    this.errorLog.log((count) => this.logger.error({ err: error, stage: 'queue', count }));

  constructor(@Inject(QUEUE_OPTIONS) options: QueueOptions) {
    this.backend = createQueueBackend(options);
  }

  /** @param items plain JSON; the queue does not look into it. */
  async enqueue(items: readonly object[]): Promise<void> {
    const jobs = chunksOf(items, ITEMS_PER_JOB).map((data) => ({
      name: QUEUE_NAME,
      data,
      opts: REMOVE_WHEN_FINISHED,
    }));
    for (const chunk of chunksOf(jobs, JOBS_PER_PIPELINE)) {
      const [onlyJob] = chunk;
      // For a single job, a pipeline would cost more than the job: ioredis creates a function for every
      // command.
      await this.withQueue<unknown>((queue) =>
        onlyJob && chunk.length === 1
          ? queue.add(onlyJob.name, onlyJob.data, onlyJob.opts)
          : queue.addBulk(chunk),
      );
    }
  }

  /**
   * @param handle resolves when it no longer needs the job; what happens later must be safe without the
   * job.
   */
  consume(handle: (items: object[]) => Promise<void>): void {
    const processJob = (job: { data: unknown }) => handle(job.data as object[]);
    const worker = this.backend.worker(QUEUE_NAME, processJob, CONCURRENT_JOBS);
    worker.on('error', this.logError);
    worker.on('failed', (_job, error) => this.logger.error({ err: error, stage: QUEUE_NAME }));
    this.worker = worker;
    // If the worker cannot get ready, this rejection ends the process, and the process is started again.
    this.workerReady = worker.waitUntilReady();
    void this.workerReady.then(() => {
      if (this.isStopping) return;
      void worker.run();
      this.retiredRemoval = this.removeRetiredQueues();
    });
  }

  /**
   * Tells every relay that the outbox has new rows. A lost signal does no harm: the relay polls as well.
   */
  signal(): Promise<void> {
    return this.backend.signal();
  }

  onSignal(handle: () => void): void {
    this.backend.onSignal(handle);
  }

  /** If jobs cannot be added or taken, returns what is wrong with the queue's store. */
  findProblem(): Promise<string | undefined> {
    return this.backend.findProblem();
  }

  /** Takes no new jobs, and waits for the jobs that are being handled. */
  async stopConsuming(): Promise<void> {
    this.isStopping = true;
    // A worker that is closed before it is ready never ends. `consume` reports that it cannot get ready.
    await this.workerReady?.catch(() => undefined);
    await this.worker?.close();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stopConsuming();
    await this.queue?.close();
    await this.retiredRemoval;
    await this.backend.disconnect();
  }

  /** A BullMQ queue that fails to connect at first never connects, so the next use creates another one. */
  private async withQueue<T>(work: (queue: BackendQueue) => Promise<T>): Promise<T> {
    const queue = (this.queue ??= this.openQueue());
    try {
      return await work(queue);
    } catch (error) {
      if (this.queue === queue) this.queue = undefined;
      await Promise.allSettled([queue.close()]);
      throw error;
    }
  }

  /**
   * A retired queue is removed by the last worker that an update starts: until then, workers of the earlier
   * version still use it.
   */
  private async removeRetiredQueues(): Promise<void> {
    for (const name of RETIRED_QUEUE_NAMES) {
      const queue = this.openQueue(name);
      try {
        if ((await queue.getWorkersCount()) === 0) await queue.obliterate({ force: true });
      } catch (error) {
        this.logger.warn(
          { err: error, stage: 'queue' },
          'Jobs of an earlier version were not removed; they do no harm.',
        );
      }
      await Promise.allSettled([queue.close()]);
    }
  }

  private openQueue(name = QUEUE_NAME): BackendQueue {
    const queue = this.backend.queue(name);
    queue.on('error', this.logError);
    return queue;
  }
}

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
