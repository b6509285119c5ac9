import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import {
  createBackend,
  QUEUE_OPTIONS,
  type Backend,
  type JobStore,
  type JobWorker,
  type QueueOptions,
} from './backend.js';

/** A delivery that is due: its id, and how often it has been claimed before. */
interface DueDelivery {
  id: string;
  claims: number;
}

// A job costs the worker and Redis as much as all else that a delivery takes, so under load many
// share one. Few enough to be spread over the workers.
const DELIVERIES_IN_A_JOB = 20;
// addBulk is one pipeline: large enough to be cheap, small enough not to hold up other commands.
const JOBS_IN_A_PIPELINE = 100;
// Jobs that a worker takes at once. A job is done as soon as its deliveries have been taken up.
const JOBS_AT_ONCE = 5;
// In jobs of 1 to 20 deliveries: more than a worker takes up between two sweeps.
const LONG = 1_000;

// PostgreSQL keeps the truth, so that the queue need not remember what is over.
const FORGET = { removeOnComplete: true, removeOnFail: true };

const NAME = 'deliveries';

/** The queue of deliveries that are due, and the signal that the outbox has new rows. */
@Injectable()
export class JobQueue implements OnApplicationShutdown {
  private readonly logger = new Logger(JobQueue.name);
  private readonly backend: Backend;
  private queue: JobStore | undefined;
  private worker: JobWorker | undefined;

  constructor(@Inject(QUEUE_OPTIONS) options: QueueOptions) {
    this.backend = createBackend(options);
  }

  async enqueue(deliveries: readonly DueDelivery[]): Promise<void> {
    const jobs = chunksOf(deliveries, DELIVERIES_IN_A_JOB).map((data) => ({
      name: 'deliver',
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

  /** Whether what is put in now would wait for long. */
  isLong(): Promise<boolean> {
    return this.use(async (queue) => (await queue.getJobCountByTypes('waiting')) > LONG);
  }

  /** @param takeUp resolves once it no longer needs the job: what happens then is safe without it. */
  onDeliveries(takeUp: (deliveries: DueDelivery[]) => Promise<void>): void {
    const handle = (job: { data: unknown }) => takeUp(job.data as DueDelivery[]);
    const worker = this.backend.worker(NAME, handle, JOBS_AT_ONCE);
    worker.on('error', (error) => this.logger.error({ err: error, stage: 'queue' }));
    worker.on('failed', (_job, error) => this.logger.error({ err: error, stage: NAME }));
    this.worker = worker;
    // Where it cannot get ready the process ends by this rejection, and is started again.
    void worker.waitUntilReady().then(() => worker.run());
  }

  /** Tells every relay that the outbox has new rows. It may be lost without harm. */
  signalRelay(): Promise<void> {
    return this.backend.signal();
  }

  onRelaySignal(handle: () => void): void {
    this.backend.onSignal(handle);
  }

  /** Takes no new jobs, and waits for those that are being worked on. */
  async stopWorking(): Promise<void> {
    await this.worker?.close();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stopWorking();
    await this.queue?.close();
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

  private open(): JobStore {
    const queue = this.backend.queue(NAME);
    queue.on('error', (error) => this.logger.error({ err: error, stage: 'queue' }));
    return queue;
  }
}

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
