import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LogThrottle } from '#config';
import {
  createBackend,
  QUEUE_OPTIONS,
  type Backend,
  type JobStore,
  type JobWorker,
  type QueueOptions,
} from './backend.js';

// A job costs the worker and Redis as much as all else that a delivery takes, so under load many
// turns share one. Few enough to be spread over the workers.
const TURNS_IN_A_JOB = 20;
// addBulk is one pipeline: large enough to be cheap, small enough not to hold up other commands.
const JOBS_IN_A_PIPELINE = 100;
// Jobs that a worker takes at once. A job is done as soon as its turns' deliveries have been taken up.
const JOBS_AT_ONCE = 5;

// PostgreSQL keeps the truth, so that the queue need not remember what is over.
const FORGET = { removeOnComplete: true, removeOnFail: true };

// A name of its own for each form of a job: versions of Galley that differ in it run beside each other
// during an update.
const NAME = 'due';
// Of earlier versions. Nobody takes their jobs any more, and PostgreSQL knows what is due.
const EARLIER_NAMES = ['turns'];

/** The queue of endpoints that have something due, and the signal that the outbox has new rows. */
@Injectable()
export class JobQueue implements OnApplicationShutdown {
  private readonly logger = new Logger(JobQueue.name);
  private readonly backend: Backend;
  private queue: JobStore | undefined;
  private worker: JobWorker | undefined;
  private ready: Promise<unknown> | undefined;
  private removal: Promise<void> | undefined;
  private stopping = false;
  private readonly errors = new LogThrottle();
  // BullMQ tries again without a pause while the store is there and refuses a statement.
  private readonly report = (error: Error) =>
    this.errors.log((count) => this.logger.error({ err: error, stage: 'queue', count }));

  constructor(@Inject(QUEUE_OPTIONS) options: QueueOptions) {
    this.backend = createBackend(options);
  }

  /** @param turns the endpoints, as plain JSON; the queue does not look into them. */
  async enqueue(turns: readonly object[]): Promise<void> {
    const jobs = chunksOf(turns, TURNS_IN_A_JOB).map((data) => ({
      name: NAME,
      data,
      opts: FORGET,
    }));
    for (const some of chunksOf(jobs, JOBS_IN_A_PIPELINE)) {
      const [only] = some;
      // A pipeline of one is most of that job's cost: ioredis makes a function for every command.
      await this.use<unknown>((queue) =>
        only && some.length === 1
          ? queue.add(only.name, only.data, only.opts)
          : queue.addBulk(some),
      );
    }
  }

  /** @param take resolves once it no longer needs the job: what happens then is safe without it. */
  onTurns(take: (turns: object[]) => Promise<void>): void {
    const handle = (job: { data: unknown }) => take(job.data as object[]);
    const worker = this.backend.worker(NAME, handle, JOBS_AT_ONCE);
    worker.on('error', this.report);
    worker.on('failed', (_job, error) => this.logger.error({ err: error, stage: NAME }));
    this.worker = worker;
    // Where it cannot get ready the process ends by this rejection, and is started again.
    this.ready = worker.waitUntilReady();
    void this.ready.then(() => {
      if (this.stopping) return;
      void worker.run();
      this.removal = this.removeEarlierQueues();
    });
  }

  /** Tells every relay that the outbox has new rows. It may be lost without harm. */
  signalRelay(): Promise<void> {
    return this.backend.signal();
  }

  onRelaySignal(handle: () => void): void {
    this.backend.onSignal(handle);
  }

  /** Gives what is wrong with the queue's store, if jobs cannot be put in and taken out. */
  problem(): Promise<string | undefined> {
    return this.backend.problem();
  }

  /** Takes no new jobs, and waits for those that are being worked on. */
  async stopWorking(): Promise<void> {
    this.stopping = true;
    // One that is closed while it is getting ready never ends; that it cannot is told above.
    await this.ready?.catch(() => undefined);
    await this.worker?.close();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stopWorking();
    await this.queue?.close();
    await this.removal;
    await this.backend.disconnect();
  }

  /** A queue that could not connect at its start stays so for good; the next use makes a new one. */
  private async use<T>(work: (queue: JobStore) => Promise<T>): Promise<T> {
    const queue = (this.queue ??= this.open());
    try {
      return await work(queue);
    } catch (error) {
      if (this.queue === queue) this.queue = undefined;
      await Promise.allSettled([queue.close()]);
      throw error;
    }
  }

  /** While an update replaces workers of an earlier version one by one, the last start removes it. */
  private async removeEarlierQueues(): Promise<void> {
    for (const name of EARLIER_NAMES) {
      const queue = this.open(name);
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

  private open(name = NAME): JobStore {
    const queue = this.backend.queue(name);
    queue.on('error', this.report);
    return queue;
  }
}

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
