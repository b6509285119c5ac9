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
import { PostgresListener } from './postgres-listener.js';

export interface QueueOptions {
  /** If it is set, the queue is in Redis; otherwise in PostgreSQL. */
  redisUrl?: string;
  databaseUrl: string;
  /** The prefix of all keys in Redis. */
  prefix: string;
}

export const QUEUE_OPTIONS = Symbol('QUEUE_OPTIONS');

export type BackendQueue = Pick<
  Queue,
  'add' | 'addBulk' | 'close' | 'getWorkersCount' | 'obliterate'
> &
  ErrorEmitter;
export type BackendWorker = Pick<Worker, 'close' | 'run' | 'waitUntilReady'> &
  ErrorEmitter & { on(event: 'failed', listener: (job: unknown, error: Error) => void): unknown };

interface ErrorEmitter {
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** BullMQ on Redis or on PostgreSQL. Everything else is the same for both. */
export interface QueueBackend {
  queue(name: string): BackendQueue;
  worker(name: string, processor: Processor, concurrency: number): BackendWorker;
  /** Calls the listeners in all processes. A signal may be lost. */
  signal(): Promise<void>;
  onSignal(handle: () => void): void;
  /** Returns what is wrong with the store, if jobs cannot be added or taken. */
  findProblem(): Promise<string | undefined>;
  /** Closes the connections. Called when the queues and workers are closed. */
  disconnect(): Promise<void>;
}

// A worker that dies keeps the jobs that it had fetched but not finished. BullMQ returns them after their
// lock has expired and two checks have seen that, so both times are shorter than BullMQ's 30 s. Losing a
// lock by mistake does no harm: the first worker that claims a delivery has it.
const STALLED_JOB_OPTIONS = { lockDuration: 10_000, stalledInterval: 5_000 };

// A new job wakes a waiting worker, so the worker need not poll every 5 s.
const IDLE_OPTIONS = { drainDelay: 15 };

// A worker that starts before its store is ready fails in a loop without a pause.
const WORKER_OPTIONS = { ...STALLED_JOB_OPTIONS, ...IDLE_OPTIONS, autorun: false };

export function createQueueBackend(options: QueueOptions): QueueBackend {
  return options.redisUrl === undefined
    ? createPostgresQueueBackend(options.databaseUrl)
    : createRedisQueueBackend(options.redisUrl, options.prefix);
}

const logger = new Logger('Queue');

// Redis normally responds within a millisecond.
const PING_TIMEOUT_MS = 1_000;

async function failAfterTimeout(): Promise<never> {
  await delay(PING_TIMEOUT_MS, undefined, { ref: false });
  throw new Error('Redis does not respond.');
}

function createRedisQueueBackend(url: string, prefix: string): QueueBackend {
  // If Redis is unavailable, a producer fails at once, since the sweep queues the endpoints later; a worker
  // waits.
  const producer = new Redis(url, { maxRetriesPerRequest: 0, lazyConnect: true });
  const consumer = new Redis(url, { maxRetriesPerRequest: null, lazyConnect: true });
  let subscriber: Redis | undefined;
  const channel = `${prefix}:signal`;
  // Callers get the error; BullMQ reports the errors of both connections through its queues and workers.
  producer.on('error', () => undefined);
  return {
    queue: (name) => new Queue(name, { prefix, connection: producer }),
    worker: (name, processor, concurrency) =>
      new Worker(name, processor, { prefix, connection: consumer, concurrency, ...WORKER_OPTIONS }),
    signal: async () => {
      await producer.publish(channel, '');
    },
    onSignal: (handle) => {
      subscriber = new Redis(url, { maxRetriesPerRequest: null, connectionName: channel });
      const logError = (error: unknown) => logger.warn({ err: error, stage: 'wake-up' });
      subscriber.on('error', logError);
      subscriber.on('message', handle);
      // ioredis subscribes again after each lost connection.
      subscriber.subscribe(channel).catch(logError);
    },
    findProblem: () =>
      Promise.race([producer.ping(), failAfterTimeout()]).then(
        () => undefined,
        () => 'Redis does not respond.',
      ),
    disconnect: () => {
      for (const connection of [producer, consumer, subscriber]) connection?.disconnect();
      return Promise.resolve();
    },
  };
}

// Each BullMQ worker keeps one connection for LISTEN; the other connections serve the jobs.
const POOL_MAX_CONNECTIONS = 8;
const NOTIFY_CHANNEL = 'galley_signal';
// BullMQ's statements are far shorter: a PostgreSQL that is silent for this long is gone.
const POOL_TIMEOUTS = { query_timeout: 30_000, connectionTimeoutMillis: 10_000 };

function createPostgresQueueBackend(url: string): QueueBackend {
  const pool = createPostgresPool(url, { max: POOL_MAX_CONNECTIONS, ...POOL_TIMEOUTS });
  let listener: PostgresListener | undefined;
  return {
    queue: (name) => new Queue(name, { connection: pool }, createPostgresBackend),
    worker: (name, processor, concurrency) =>
      new Worker(
        name,
        processor,
        { connection: pool, concurrency, ...WORKER_OPTIONS },
        createPostgresBackend,
      ),
    // In a transaction of its own: NOTIFY locks the whole database when it commits.
    signal: async () => {
      await pool.query(`NOTIFY ${NOTIFY_CHANNEL}`);
    },
    onSignal: (handle) => {
      listener = new PostgresListener(url, NOTIFY_CHANNEL, handle);
    },
    findProblem: () => findSchemaProblem(pool),
    disconnect: async () => {
      await listener?.stop();
      await pool.end();
    },
  };
}

// The functions that producers and workers call. A copy of a database may have the tables without them.
const REQUIRED_FUNCTIONS = [
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

async function findSchemaProblem(pool: pg.Pool): Promise<string | undefined> {
  const version = await assertSchemaCompatibility(pool).catch((error: unknown) => {
    if (error instanceof SchemaMigrationRequiredError) return 0;
    throw error;
  });
  if (version < LATEST_SCHEMA_VERSION) return QUEUE_NOT_MIGRATED;
  const { rows } = await pool.query<{ functionCount: number }>(
    `SELECT count(DISTINCT proname)::integer AS "functionCount" FROM pg_proc
     WHERE pronamespace = 'bullmq'::regnamespace AND proname = ANY ($1)`,
    [REQUIRED_FUNCTIONS],
  );
  return rows[0]?.functionCount === REQUIRED_FUNCTIONS.length ? undefined : QUEUE_NOT_MIGRATED;
}

// BullMQ's statements name its tables without a schema, and BullMQ does not set the search path of a pool
// that it is given. (In native ESM it cannot load pg to create a pool itself.)
function createPostgresPool(url: string, options: pg.PoolConfig): pg.Pool {
  // If an idle connection, or one that is just being handed out, is lost, its error has no other listener
  // and would end the process. The next query takes another connection.
  const logConnectionError = (error: Error) => logger.warn({ err: error, stage: 'connection' });
  const pool = new pg.Pool({
    connectionString: url,
    ...options,
    application_name: 'galley queue',
    options: '-c search_path=bullmq',
    onConnect: (client) => {
      client.on('error', logConnectionError);
    },
  });
  return pool.on('error', logConnectionError);
}

/**
 * Creates and updates BullMQ's own tables in PostgreSQL, with Redis as well, so that operators can switch.
 */
export async function migrateQueue(databaseUrl: string): Promise<void> {
  const pool = createPostgresPool(databaseUrl, { max: 1 });
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
