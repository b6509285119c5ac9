import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LogThrottle } from '#config';
import { settledWithin } from '#shutdown';
import {
  createQueueBackend,
  QUEUE_OPTIONS,
  type QueueBackend,
  type BackendQueue,
  type BackendWorker,
  type QueueOptions,
} from './backend.js';

// A job costs the worker and Redis as much as everything else in a delivery, so under load up to this many
// endpoints share a job. The number is small enough to spread the deliveries over the workers.
const ITEMS_PER_JOB = 20;
// addBulk sends one pipeline. The pipeline is large enough to be cheap, and small enough not to delay other commands.
const JOBS_PER_PIPELINE = 100;
// Number of jobs that a worker handles concurrently. A job is short: it ends before the deliveries of its endpoints are sent.
const CONCURRENT_JOBS = 5;

// Jobs are short, so closing a worker normally takes less time than this. While no node of a Redis cluster can be
// reached, closing never ends. The lock of an abandoned job expires.
const MAX_CLOSE_MS = 5_000;
// A worker that has taken no job yet has nothing to finish.
const MAX_ABANDON_MS = 500;
// The connections are closed last, when no job is running. A store that does not respond never confirms that a
// connection has ended.
const MAX_DISCONNECT_MS = 1_000;

const RETRY_DELAY_MS = 2_000;

// Connecting normally takes milliseconds. If connecting takes longer than this, the call fails, and the caller tries
// again.
const MAX_OPEN_MS = 2_000;

// PostgreSQL knows what is due, so finished jobs are not kept.
const REMOVE_WHEN_FINISHED = { removeOnComplete: true, removeOnFail: true };

// Each format of the job data has its own queue name: during an update, versions of Galley with different
// formats run side by side.
const QUEUE_NAME = 'due';

/** The queue that tells workers where to look for due work, and the signal that the outbox has new rows. */
@Injectable()
export class JobQueue implements OnApplicationShutdown {
  private readonly logger = new Logger(JobQueue.name);
  private readonly backend: QueueBackend;
  private queue: BackendQueue | undefined;
  private readyQueue: BackendQueue | undefined;
  private worker: BackendWorker | undefined;
  private isTakingJobs = false;
  private workerClosed: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private readonly errorLog = new LogThrottle();
  private readonly signalHandlers: (() => void)[] = [];

  /**
   * While the store is unavailable, all its connections and each signal fail, and BullMQ retries some commands without
   * a pause. So at most one line is logged every five seconds, with the number of errors.
   */
  readonly logError = (error: unknown): void =>
    this.errorLog.log((count) => {
      const problem = this.backend.explain(error as Error);
      this.logger.error(
        { err: error, stage: 'queue', count },
        problem === undefined ? QUEUE_FAILED : `${problem} ${MEANWHILE}`,
      );
    });

  constructor(@Inject(QUEUE_OPTIONS) options: QueueOptions) {
    this.backend = createQueueBackend(options);
  }

  /** @param items plain JSON, which the queue does not interpret. */
  async enqueue(items: readonly object[]): Promise<void> {
    const jobs = toChunks(items, ITEMS_PER_JOB).map((data) => ({
      name: QUEUE_NAME,
      data,
      opts: REMOVE_WHEN_FINISHED,
    }));
    for (const chunk of toChunks(jobs, JOBS_PER_PIPELINE)) {
      const [onlyJob] = chunk;
      // A single job is not sent with addBulk, because a pipeline would cost more than the job: ioredis
      // creates a function for every command of a pipeline.
      await this.withQueue<unknown>((queue) =>
        onlyJob && chunk.length === 1
          ? queue.add(onlyJob.name, onlyJob.data, onlyJob.opts)
          : queue.addBulk(chunk),
      );
    }
  }

  /**
   * @param handle handles the items of one job. The job is removed when the promise resolves, so work that
   * continues after that must not need the job.
   */
  consume(handle: (items: object[]) => Promise<void>): void {
    void this.takeJobs((job: { data: unknown }) => handle(job.data as object[]));
  }

  /**
   * Waits until the store of the queue is available, however long that takes. Meanwhile, `findProblem` and the log say
   * what is wrong.
   */
  private async takeJobs(processJob: (job: { data: unknown }) => Promise<void>): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const worker = this.backend.worker(QUEUE_NAME, processJob, CONCURRENT_JOBS);
      worker.on('error', this.logError);
      worker.on('failed', (_job, error) =>
        this.logger.error({ err: error, stage: QUEUE_NAME }, 'A job in the queue failed.'),
      );
      this.worker = worker;
      try {
        await worker.waitUntilReady();
        this.isTakingJobs = true;
        // `run` ends immediately if the worker was closed meanwhile.
        void worker.run();
        return;
      } catch (error) {
        this.logError(error);
        await settledWithin(MAX_ABANDON_MS, worker.close(true));
        await delay(RETRY_DELAY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Tells every relay that the outbox has new rows. A lost signal does no harm, because the relay also polls. */
  signal(): Promise<void> {
    return this.backend.signal();
  }

  onSignal(handle: () => void): void {
    this.signalHandlers.push(handle);
    if (this.signalHandlers.length > 1) return;
    this.backend.onSignal(() => {
      for (const each of this.signalHandlers) each();
    }, this.logError);
  }

  /** Returns the number of waiting and active jobs, and the age of the oldest waiting job. */
  async observe(): Promise<{ waiting: number; active: number; oldestAgeSeconds: number }> {
    return this.withQueue(async (queue) => {
      const { waiting = 0, active = 0 } = await queue.getJobCounts('waiting', 'active');
      const [oldest] = await queue.getJobs(['waiting'], 0, 0, true);
      // If the clocks of two machines differ, the age may be negative.
      const oldestAgeMs = oldest ? Math.max(0, Date.now() - oldest.timestamp) : 0;
      return { waiting, active, oldestAgeSeconds: oldestAgeMs / 1_000 };
    });
  }

  /** Returns what is wrong if jobs cannot be added, or if this process should take jobs but cannot. */
  async findProblem(): Promise<string | undefined> {
    const problem = await this.backend.findProblem();
    return this.worker === undefined || this.isTakingJobs ? problem : (problem ?? NOT_TAKING_JOBS);
  }

  /** Takes no new jobs, and waits for the jobs that are being handled. */
  async stopConsuming(): Promise<void> {
    this.stopping.abort();
    this.workerClosed ??= this.isTakingJobs
      ? settledWithin(MAX_CLOSE_MS, this.worker?.close())
      : settledWithin(MAX_ABANDON_MS, this.worker?.close(true));
    await this.workerClosed;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stopConsuming();
    await settledWithin(MAX_DISCONNECT_MS, this.queue?.close());
    // Needs a time limit, because the PostgreSQL pool waits for the connection of an abandoned worker.
    await settledWithin(MAX_DISCONNECT_MS, this.backend.disconnect());
  }

  /**
   * If the first connection of a BullMQ queue fails, the queue never connects. So after any failure of the queue
   * itself, the next call creates a new queue.
   */
  private async withQueue<T>(work: (queue: BackendQueue) => Promise<T>): Promise<T> {
    const queue = (this.queue ??= this.openQueue());
    try {
      if (this.readyQueue !== queue) await this.waitUntilReady(queue);
      return await work(queue);
    } catch (error) {
      if (this.queue === queue && !(error instanceof NotReadyYet)) {
        this.queue = undefined;
        await Promise.allSettled([queue.close()]);
      }
      throw this.backend.findCause(error);
    }
  }

  /** Waits at most `MAX_OPEN_MS`. BullMQ waits for a connection indefinitely, and so would a shutdown. */
  private async waitUntilReady(queue: BackendQueue): Promise<void> {
    const timer = new AbortController();
    const timeout = delay(MAX_OPEN_MS, undefined, { signal: timer.signal }).then(() => {
      throw new NotReadyYet('The store of the queue does not respond.');
    });
    await Promise.race([queue.waitUntilReady(), timeout]).finally(() => timer.abort());
    this.readyQueue = queue;
  }

  private openQueue(): BackendQueue {
    const queue = this.backend.queue(QUEUE_NAME);
    queue.on('error', this.logError);
    return queue;
  }
}

/** Thrown while the queue still waits for its first connection. */
class NotReadyYet extends Error {}

const QUEUE_FAILED =
  'The queue reported an error. Nothing is lost: workers find due deliveries in PostgreSQL.';
const MEANWHILE = 'Until Galley can connect again, events wait in PostgreSQL.';
const NOT_TAKING_JOBS = 'The worker does not take jobs from the queue yet.';

const toChunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
