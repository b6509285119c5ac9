import type { TestDatabase } from '../../../support/galley/database.js';
import { ReceiverProcess } from '../../arrivals.js';
import { newBareJob, type BareJob } from '../../baselines/bare-job.js';
import { Child } from '../../child.js';
import type { Harness } from '../../harness.js';

/** Adds jobs to the queue of a rival. */
export interface Producer {
  /** Adds all jobs in one statement, so that filling the queue is not measured. */
  add(jobs: readonly BareJob[]): Promise<unknown>;
  stop(): Promise<void>;
}

/** A library that keeps its queue in PostgreSQL. */
export interface Rival {
  name: string;
  /** The program that delivers, a file of dist. */
  program: string;
  /** An SQL condition that is true while a job is not recorded as completed. */
  open: string;
  startProducer(databaseUrl: string): Promise<Producer>;
}

/** A process that delivers with a rival and undici, and one endpoint that receives everything. */
export class RivalDeliveries {
  private constructor(
    private readonly rival: Rival,
    private readonly database: TestDatabase,
    private readonly worker: Child,
    private readonly producer: Producer,
    private readonly receiver: ReceiverProcess,
  ) {}

  static async start(harness: Harness, rival: Rival): Promise<RivalDeliveries> {
    const receiver = await ReceiverProcess.start();
    const database = await harness.database();
    const url = new URL(database.url);
    // Like those of Galley's worker, the commits of this worker do not wait for the disk.
    url.searchParams.set('options', '-c synchronous_commit=off');
    const environment = { SINK_URL: receiver.url, DATABASE_URL: url.href };
    const worker = await Child.start(rival.program, environment, { health: '/' });
    const producer = await rival.startProducer(database.url);
    return new RivalDeliveries(rival, database, worker, producer, receiver);
  }

  /** Deliveries per second, from the arrival of the first notification until all jobs are recorded. */
  async perSecond(count: number): Promise<number> {
    await this.producer.add(Array.from({ length: count }, newBareJob));
    return this.receiver.deliveriesPerSecond(count, async () => {
      const [row] = await this.database.query<{ open: boolean }>(
        `SELECT ${this.rival.open} AS open`,
      );
      return row?.open === false;
    });
  }

  async stop(): Promise<void> {
    await this.worker.stop();
    await this.producer.stop();
    await this.database.drop();
    await this.receiver.stop();
  }
}
