import { Redis } from 'ioredis';
import type { Harness } from '../harness.js';
import type { GrowingInstallation } from './installation.js';
import { mainThreadMs, postgresMs, postgresPidOf, processMs } from '../processor-time.js';

/**
 * All that is counted, in milliseconds of processor time unless the name says something else. `apiThread`,
 * `workerThread` and `redisThread` are the main threads alone, each of which uses one core at most.
 */
export const QUANTITIES = [
  'postgres',
  'redis',
  'redisThread',
  'api',
  'apiThread',
  'worker',
  'workerThread',
  'surroundings',
  'walBytes',
  'statements',
  'redisCommands',
] as const;
export type Quantity = (typeof QUANTITIES)[number];
export type Reading = Record<Quantity, number>;

/** Reads the counters of all servers of an installation. `surroundings` is load generator and receiver. */
export class Meters {
  private constructor(
    private readonly installation: GrowingInstallation,
    private readonly postgresPid: number,
    private readonly redis: Redis,
    private readonly redisPid: number,
  ) {}

  static async start(harness: Harness, installation: GrowingInstallation): Promise<Meters> {
    const { redisUrl, redisProcessId } = harness;
    if (redisUrl === undefined || redisProcessId === undefined) {
      throw new Error('This part measures the queue in Redis: install redis-server.');
    }
    const postgresPid = await postgresPidOf(installation.galley.database);
    return new Meters(installation, postgresPid, new Redis(redisUrl), redisProcessId);
  }

  async read(): Promise<Reading> {
    const { apis, workers, receiver, galley } = this.installation;
    const total = async (pids: number[], measure: (pid: number) => Promise<number>) =>
      (await Promise.all(pids.map(measure))).reduce((sum, figure) => sum + figure, 0);
    const apiPids = apis.map(({ process: { pid = NaN } }) => pid);
    const workerPids = workers.map(({ process: { pid = NaN } }) => pid);
    const [database] = await galley.database.query<{ wal: number; statements: number }>(
      `SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS wal,
         (SELECT sum(calls)::float8 FROM pg_stat_statements
          WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())) AS statements`,
    );
    const commands = /total_commands_processed:(\d+)/.exec(await this.redis.info('stats'))?.[1];
    return {
      postgres: await postgresMs(this.postgresPid),
      redis: await processMs(this.redisPid),
      redisThread: await mainThreadMs(this.redisPid),
      api: await total(apiPids, processMs),
      apiThread: await total(apiPids, mainThreadMs),
      worker: await total(workerPids, processMs),
      workerThread: await total(workerPids, mainThreadMs),
      surroundings: (await processMs(process.pid)) + (await processMs(receiver.processId)),
      walBytes: database?.wal ?? NaN,
      statements: database?.statements ?? NaN,
      redisCommands: Number(commands),
    };
  }

  stop(): void {
    this.redis.disconnect();
  }
}
