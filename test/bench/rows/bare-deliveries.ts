import { createPostgresBackend, Queue as JobQueue } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { TestDatabase } from '../../support/galley/database.js';
import { ReceiverProcess } from '../arrivals.js';
import { newBareJob, QUEUE_NAME } from '../baselines/bare-job.js';
import { Child } from '../child.js';
import { now } from '../clock.js';
import type { Queue, Harness } from '../harness.js';

const CHUNK = 500;
const FORGET = { removeOnComplete: true, removeOnFail: true };

/** A process with bare BullMQ and undici, and the queue from which the process takes its jobs. */
export class BareDeliveries {
  private constructor(
    private readonly queue: Pick<JobQueue, 'add' | 'addBulk' | 'close' | 'pause' | 'resume'>,
    readonly worker: Child,
    readonly receiver: ReceiverProcess,
    private readonly disconnect: () => Promise<unknown>,
  ) {}

  static async start(harness: Harness, kind: Queue): Promise<BareDeliveries> {
    const receiver = await ReceiverProcess.start();
    if (kind === 'Redis') {
      const url = harness.redisUrl ?? '';
      const connection = new Redis(url, { maxRetriesPerRequest: null });
      const queue = new JobQueue(QUEUE_NAME, { connection });
      const worker = await startWorker(receiver, { REDIS_URL: url });
      return new BareDeliveries(queue, worker, receiver, () => connection.quit());
    }
    const database: TestDatabase = await harness.database();
    const options = '-c search_path=bullmq';
    const connection = new pg.Pool({ connectionString: database.url, options, max: 8 });
    const queue = new JobQueue(QUEUE_NAME, { connection }, createPostgresBackend);
    // Connections of the queue may still be closing when the database is dropped.
    queue.on('error', () => undefined);
    const worker = await startWorker(receiver, { DATABASE_URL: database.url });
    return new BareDeliveries(queue, worker, receiver, async () => {
      await connection.end();
      await database.drop();
    });
  }

  /** Deliveries per second, from the arrival of the first notification to the arrival of the last. */
  async perSecond(count: number): Promise<number> {
    const jobs = Array.from({ length: count }, newJob);
    // The queue is filled while it is paused, so that filling it is not measured. Galley has the same
    // advantage: one statement fills its outbox.
    await this.queue.pause();
    for (let start = 0; start < count; start += CHUNK) {
      await this.queue.addBulk(jobs.slice(start, start + CHUNK));
    }
    await this.queue.resume();
    const times = (await this.receiver.take(count)).map(([, at]) => at);
    return count / ((Math.max(...times) - Math.min(...times)) / 1000);
  }

  /** Adds a job and returns its id and when the call began. */
  async add(): Promise<[id: string, at: number]> {
    const { name, data, opts } = newJob();
    const at = now();
    await this.queue.add(name, data, opts);
    return [data.id, at];
  }

  async stop(): Promise<void> {
    await this.worker.stop();
    await this.queue.close();
    await this.disconnect();
    await this.receiver.stop();
  }
}

const startWorker = (receiver: ReceiverProcess, environment: Record<string, string>) =>
  Child.start(
    'test/bench/baselines/queue.js',
    { SINK_URL: receiver.url, ...environment },
    { health: '/' },
  );

const newJob = () => ({ name: 'deliver', data: newBareJob(), opts: FORGET });
