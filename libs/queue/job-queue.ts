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

/** The two queues: `deliveries`, and `relay`, whose single job says that the outbox has new rows. */
@Injectable()
export class JobQueue implements OnApplicationShutdown {
  private readonly logger = new Logger(JobQueue.name);
  private readonly backend: Backend;
  private readonly queues = new Map<string, JobStore>();
  private readonly workers: JobWorker[] = [];

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
      await this.put('deliveries', (queue) => queue.addBulk(jobs));
    }
  }

  /** Any number of signals before the relay gets to work are one job. */
  async signalRelay(): Promise<void> {
    const deduplication = { id: 'relay', keepLastIfActive: true };
    await this.put('relay', (queue) => queue.add('wake', {}, { ...FORGET, deduplication }));
  }

  onDelivery(handle: (delivery: DeliveryJob) => Promise<void>, concurrency: number): void {
    this.work('deliveries', (data) => handle(data as DeliveryJob), concurrency);
  }

  onRelaySignal(handle: () => void): void {
    this.work(
      'relay',
      () => {
        handle();
        return Promise.resolve();
      },
      1,
    );
  }

  /** Takes no new jobs, and waits for those that are being worked on. */
  async stopWorking(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.close()));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stopWorking();
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
    await this.backend.disconnect();
  }

  private work(name: string, handle: (data: unknown) => Promise<void>, concurrency: number): void {
    const worker = this.backend.worker(name, (job) => handle(job.data), concurrency);
    worker.on('error', (error) => this.logger.error({ err: error, stage: 'queue', queue: name }));
    worker.on('failed', (_job, error) => this.logger.error({ err: error, stage: name }));
    this.workers.push(worker);
    // Where it cannot get ready the process ends by this rejection, and is started again.
    void worker.waitUntilReady().then(() => worker.run());
  }

  /** A queue that could not connect at its start stays so for good; the next use makes a new one. */
  private async put(name: string, use: (queue: JobStore) => Promise<unknown>): Promise<void> {
    const queue = this.queue(name);
    try {
      await use(queue);
    } catch (error) {
      this.queues.delete(name);
      await Promise.allSettled([queue.close()]);
      throw error;
    }
  }

  private queue(name: string): JobStore {
    let queue = this.queues.get(name);
    if (queue === undefined) {
      queue = this.backend.queue(name);
      queue.on('error', (error) => this.logger.error({ err: error, stage: 'queue', queue: name }));
      this.queues.set(name, queue);
    }
    return queue;
  }
}
