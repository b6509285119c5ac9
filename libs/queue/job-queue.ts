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
export interface DeliveryJob {
  id: string;
  claims: number;
}

// addBulk is one pipeline: large enough to be cheap, small enough not to hold up other commands.
const CHUNK = 500;

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

  async enqueue(deliveries: readonly DeliveryJob[]): Promise<void> {
    for (let start = 0; start < deliveries.length; start += CHUNK) {
      const jobs = deliveries.slice(start, start + CHUNK).map((delivery) => ({
        name: 'deliver',
        data: delivery,
        // The same delivery is queued once for each claim, however often the sweep puts it in.
        opts: { ...FORGET, jobId: `${delivery.id}-${delivery.claims}` },
      }));
      const [only] = jobs;
      // A pipeline of one is most of that job's cost: ioredis makes a function for every command.
      await this.put((queue) =>
        only && jobs.length === 1
          ? queue.add(only.name, only.data, only.opts)
          : queue.addBulk(jobs),
      );
    }
  }

  onDelivery(handle: (delivery: DeliveryJob) => Promise<void>, concurrency: number): void {
    const worker = this.backend.worker(NAME, (job) => handle(job.data as DeliveryJob), concurrency);
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
  private async put(use: (queue: JobStore) => Promise<unknown>): Promise<void> {
    const queue = (this.queue ??= this.open());
    try {
      await use(queue);
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
