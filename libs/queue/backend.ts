import { setTimeout as delay } from 'node:timers/promises';
import {
  assertSchemaCompatibility,
  createPostgresBackend,
  LATEST_SCHEMA_VERSION,
  Queue,
  runMigrations,
  SchemaMigrationRequiredError,
  Worker,
  type Processor,
} from 'bullmq';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import pg from 'pg';
import { Listener } from './listener.js';

export interface QueueOptions {
  /** With it the queue lives in Redis, without it in the database. */
  redisUrl?: string;
  databaseUrl: string;
  /** What the keys in Redis begin with. */
  prefix: string;
}

export const QUEUE_OPTIONS = Symbol('QUEUE_OPTIONS');

export type JobStore = Pick<Queue, 'add' | 'addBulk' | 'close' | 'getWorkersCount' | 'obliterate'> &
  Faulty;
export type JobWorker = Pick<Worker, 'close' | 'run' | 'waitUntilReady'> &
  Faulty & { on(event: 'failed', listener: (job: unknown, error: Error) => void): unknown };

interface Faulty {
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** BullMQ on one of its two stores; all else is the same for both. */
export interface Backend {
  queue(name: string): JobStore;
  worker(name: string, processor: Processor, concurrency: number): JobWorker;
  /** Calls all that listen, in whatever process. It may be lost. */
  signal(): Promise<void>;
  onSignal(handle: () => void): void;
  /** Gives what is wrong with the store, if jobs cannot be put in and taken out. */
  problem(): Promise<string | undefined>;
  /** Frees the connections, when the queues and workers on them are closed. */
  disconnect(): Promise<void>;
}

// A worker that dies takes jobs along that it had fetched and not yet claimed. They come back once
// their lock has run out and two checks have seen it, so both are shorter than BullMQ's 30 s. A lock
// that is lost by mistake does no harm: whoever claims a delivery first has it.
const RECOVERY = { lockDuration: 10_000, stalledInterval: 5_000 };

// A new job wakes a worker that waits, so that it need not look every 5 s by itself.
const IDLE = { drainDelay: 15 };

// A worker that ran before its store is ready would fail in a loop without a pause.
const OPTIONS = { ...RECOVERY, ...IDLE, autorun: false };

export function createBackend(options: QueueOptions): Backend {
  return options.redisUrl === undefined
    ? postgresBackend(options.databaseUrl)
    : redisBackend(options.redisUrl, options.prefix);
}

const logger = new Logger('Queue');

// Redis answers within a millisecond.
const PING_PATIENCE_MS = 1_000;

async function silence(): Promise<never> {
  await delay(PING_PATIENCE_MS, undefined, { ref: false });
  throw new Error('Redis does not answer.');
}

function redisBackend(url: string, prefix: string): Backend {
  // A producer gives up at once when Redis is away, for the sweep will catch up; a worker waits.
  const producer = new Redis(url, { maxRetriesPerRequest: 0, lazyConnect: true });
  const consumer = new Redis(url, { maxRetriesPerRequest: null, lazyConnect: true });
  let subscriber: Redis | undefined;
  const channel = `${prefix}:signal`;
  // Whoever uses it is told; BullMQ reports the errors of both through its queues and workers.
  producer.on('error', () => undefined);
  return {
    queue: (name) => new Queue(name, { prefix, connection: producer }),
    worker: (name, processor, concurrency) =>
      new Worker(name, processor, { prefix, connection: consumer, concurrency, ...OPTIONS }),
    signal: async () => {
      await producer.publish(channel, '');
    },
    onSignal: (handle) => {
      subscriber = new Redis(url, { maxRetriesPerRequest: null, connectionName: channel });
      const report = (error: unknown) => logger.warn({ err: error, stage: 'wake-up' });
      subscriber.on('error', report);
      subscriber.on('message', handle);
      // It is repeated after each loss of the connection by ioredis itself.
      subscriber.subscribe(channel).catch(report);
    },
    problem: () =>
      Promise.race([producer.ping(), silence()]).then(
        () => undefined,
        () => 'Redis does not answer.',
      ),
    disconnect: () => {
      for (const connection of [producer, consumer, subscriber]) connection?.disconnect();
      return Promise.resolve();
    },
  };
}

// Each BullMQ worker keeps one connection for LISTEN; the rest serve the jobs.
const POOL_SIZE = 8;
const CHANNEL = 'galley_signal';
// Far longer than BullMQ's statements take: a PostgreSQL that falls silent is gone.
const PATIENCE = { query_timeout: 30_000, connectionTimeoutMillis: 10_000 };

function postgresBackend(url: string): Backend {
  const pool = postgresPool(url, { max: POOL_SIZE, ...PATIENCE });
  let listener: Listener | undefined;
  return {
    queue: (name) => new Queue(name, { connection: pool }, createPostgresBackend),
    worker: (name, processor, concurrency) =>
      new Worker(
        name,
        processor,
        { connection: pool, concurrency, ...OPTIONS },
        createPostgresBackend,
      ),
    // A transaction of its own: NOTIFY takes a lock on the whole database when it commits.
    signal: async () => {
      await pool.query(`NOTIFY ${CHANNEL}`);
    },
    onSignal: (handle) => {
      listener = new Listener(url, CHANNEL, handle);
    },
    problem: () => problemOfSchema(pool),
    disconnect: async () => {
      await listener?.stop();
      await pool.end();
    },
  };
}

// Those that a worker and the sweep call. A copy of a database may have the tables without them.
const FUNCTIONS = [
  'add_job',
  'add_jobs_bulk',
  'extend_lock',
  'move_stalled_jobs_to_wait',
  'move_to_active',
  'move_to_completed',
  'move_to_completed_fetch',
  'move_to_failed',
  'next_signal',
];
const QUEUE_NOT_MIGRATED =
  'The queue in PostgreSQL lacks tables or functions: run `npm run migrate`.';

async function problemOfSchema(pool: pg.Pool): Promise<string | undefined> {
  const version = await assertSchemaCompatibility(pool).catch((error: unknown) => {
    if (error instanceof SchemaMigrationRequiredError) return 0;
    throw error;
  });
  if (version < LATEST_SCHEMA_VERSION) return QUEUE_NOT_MIGRATED;
  const { rows } = await pool.query<{ found: number }>(
    `SELECT count(DISTINCT proname)::integer AS found FROM pg_proc
     WHERE pronamespace = 'bullmq'::regnamespace AND proname = ANY ($1)`,
    [FUNCTIONS],
  );
  return rows[0]?.found === FUNCTIONS.length ? undefined : QUEUE_NOT_MIGRATED;
}

// BullMQ's statements name its tables without their schema, and it does not set the path of a pool
// that it is handed. (In native ESM it cannot load pg to make one of its own.)
function postgresPool(url: string, options: pg.PoolConfig): pg.Pool {
  // A connection that is lost while nobody uses it, or in the moment in which it is handed out, has
  // nobody else to tell, and its error would end the process. The next query takes another one.
  const report = (error: Error) => logger.warn({ err: error, stage: 'connection' });
  const pool = new pg.Pool({
    connectionString: url,
    ...options,
    application_name: 'galley queue',
    options: '-c search_path=bullmq',
    onConnect: (client) => {
      client.on('error', report);
    },
  });
  return pool.on('error', report);
}

/** Brings BullMQ's own tables in PostgreSQL up to date. They are made with Redis too, to switch freely. */
export async function migrateQueue(databaseUrl: string): Promise<void> {
  const pool = postgresPool(databaseUrl, { max: 1 });
  try {
    const client = await pool.connect();
    try {
      await runMigrations(client);
    } finally {
      client.release();
    }
  } finally {
    await pool.end();
  }
}
