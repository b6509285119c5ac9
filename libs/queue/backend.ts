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
import {
  createRedis,
  explainRedisError,
  isSingleServer,
  isRefusedLogin,
  resolveKeyPrefix,
  type RedisClient,
} from '#redis';
import pg from 'pg';
import { PostgresListener } from './postgres-listener.js';

export interface QueueOptions {
  /** If the URL is set, the queue is in Redis; otherwise in PostgreSQL. */
  redisUrl?: string;
  databaseUrl: string;
  /** The prefix of all keys in Redis, from `QUEUE_PREFIX`. */
  prefix: string;
}

export const QUEUE_OPTIONS = Symbol('QUEUE_OPTIONS');

export type BackendQueue = Pick<
  Queue,
  'add' | 'addBulk' | 'close' | 'getJobCounts' | 'getJobs' | 'waitUntilReady'
> &
  ErrorEmitter;
export type BackendWorker = Pick<Worker, 'close' | 'run' | 'waitUntilReady'> &
  ErrorEmitter & { on(event: 'failed', listener: (job: unknown, error: Error) => void): unknown };

interface ErrorEmitter {
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** The differences between BullMQ on Redis and BullMQ on PostgreSQL. Everything else about the queue is the same. */
export interface QueueBackend {
  queue(name: string): BackendQueue;
  worker(name: string, processor: Processor, concurrency: number): BackendWorker;
  /** Calls the `onSignal` handlers of all processes. A signal may be lost. */
  signal(): Promise<void>;
  onSignal(handle: () => void, logError: (error: unknown) => void): void;
  /** If jobs cannot be added or taken, returns what is wrong with the store. */
  findProblem(): Promise<string | undefined>;
  /**
   * Returns the actual reason for a failed command. Without a connection, the error of ioredis may mention only client
   * options.
   */
  findCause(error: unknown): unknown;
  /** Returns a log message for an error of a queue or worker; undefined if the error itself is clear enough. */
  explain(error: Error): string | undefined;
  /** Closes the connections. Called after the queues and workers have been closed. */
  disconnect(): Promise<void>;
}

// When a worker dies, its fetched but unfinished jobs stay locked. BullMQ's stalled check marks the active jobs, and
// the next check moves each marked job back to the queue if its lock has expired. To recover sooner, both times are
// shorter than BullMQ's default of 30 s. A lock that expires too early does no harm: only the first worker that claims
// a delivery gets it.
const STALLED_JOB_OPTIONS = { lockDuration: 10_000, stalledInterval: 5_000 };

// A new job wakes a waiting worker, so workers need not poll every 5 s, which is BullMQ's default.
const IDLE_OPTIONS = { drainDelay: 15 };

// Without `autorun: false`, a BullMQ worker would start before its store is ready, and would then fail in a loop
// without a pause.
const WORKER_OPTIONS = { ...STALLED_JOB_OPTIONS, ...IDLE_OPTIONS, autorun: false };

export function createQueueBackend(options: QueueOptions): QueueBackend {
  return options.redisUrl === undefined
    ? createPostgresQueueBackend(options.databaseUrl)
    : createRedisQueueBackend(options.redisUrl, resolveKeyPrefix(options.redisUrl, options.prefix));
}

const logger = new Logger('Queue');

const REDIS_SILENT = 'Redis does not respond.';
// Without a connection, an error of ioredis may mention these options instead of the reason.
const NAMES_OPTIONS = /maxRetriesPerRequest|enableOfflineQueue/;
const REDIS_REFUSES = 'Redis refuses the login: check the user and the password in REDIS_URL.';

// Redis normally responds within a millisecond.
const PING_TIMEOUT_MS = 1_000;

async function failAfterTimeout(): Promise<never> {
  await delay(PING_TIMEOUT_MS, undefined, { ref: false });
  throw new Error(REDIS_SILENT);
}

function createRedisQueueBackend(url: string, prefix: string): QueueBackend {
  // If Redis is unavailable, a producer fails immediately, because the sweep queues the endpoints later. A worker waits
  // instead. With `lazyConnect`, the first command to a single server waits for the connection. The first command to
  // sentinels or a cluster would fail.
  const producer = createRedis(url, { whenUnavailable: 'fail', lazyConnect: isSingleServer(url) });
  let consumer: RedisClient | undefined;
  let subscriber: RedisClient | undefined;
  const channel = `${prefix}:signal`;
  const findCause = (error: unknown) =>
    lastError ?? (NAMES_OPTIONS.test(String(error)) ? new Error(REDIS_SILENT) : error);
  let problem = REDIS_SILENT;
  let lastError: Error | undefined;
  // Without a listener, ioredis would print each error itself. Callers get the error anyway, and BullMQ
  // reports the errors of both connections through its queues and workers.
  producer.on('error', (error: Error) => {
    lastError = error;
    problem = isRefusedLogin(error) ? REDIS_REFUSES : REDIS_SILENT;
  });
  producer.on('ready', () => {
    lastError = undefined;
    problem = REDIS_SILENT;
  });
  return {
    queue: (name) => new Queue(name, { prefix, connection: producer }),
    worker: (name, processor, concurrency) => {
      // With `lazyConnect`, BullMQ would give up after the first failure to connect. Each worker gets a new connection,
      // because a worker that was closed by force has closed its own.
      consumer?.disconnect();
      consumer = createRedis(url, { whenUnavailable: 'wait' });
      return new Worker(name, processor, {
        prefix,
        connection: consumer,
        concurrency,
        ...WORKER_OPTIONS,
      });
    },
    findCause,
    explain: (error) => explainRedisError(error, url),
    signal: async () => {
      await producer.publish(channel, '').catch((error: unknown) => {
        throw findCause(error);
      });
    },
    onSignal: (handle, logError) => {
      subscriber = createRedis(url, { whenUnavailable: 'wait', connectionName: channel });
      subscriber.on('error', logError);
      subscriber.on('message', handle);
      // ioredis subscribes again after each lost connection.
      subscriber.subscribe(channel).catch(logError);
    },
    findProblem: () =>
      // In a cluster, this command goes to the node with the queue, because the key is in the same slot.
      Promise.race([producer.exists(channel), failAfterTimeout()]).then(
        () => undefined,
        () => problem,
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
// BullMQ's statements take far less time than this. If PostgreSQL is silent for this long, the connection is dead.
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
    // Transactions with NOTIFY commit one after another. NOTIFY therefore runs in a transaction of its own, so that no
    // other write waits.
    signal: async () => {
      await pool.query(`NOTIFY ${NOTIFY_CHANNEL}`);
    },
    onSignal: (handle) => {
      listener = new PostgresListener(url, NOTIFY_CHANNEL, handle);
    },
    findProblem: () => findSchemaProblem(pool),
    findCause: (error) => error,
    explain: () => undefined,
    disconnect: async () => {
      await listener?.stop();
      await pool.end();
    },
  };
}

// The functions that producers and workers call. A copy of a database may have the tables without these functions.
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

const LEADS_TO_POOLER =
  'The queue in PostgreSQL needs direct connections, but its connection goes through a pooler: set DATABASE_DIRECT_URL to the URL of PostgreSQL itself.';

async function findSchemaProblem(pool: pg.Pool): Promise<string | undefined> {
  const { rows: settings } = await pool.query<{ searchPath: string }>(
    `SELECT current_setting('search_path') AS "searchPath"`,
  );
  if (settings[0]?.searchPath !== SEARCH_PATH) return LEADS_TO_POOLER;
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

const SEARCH_PATH = 'bullmq';

// The pool sets the search path, because BullMQ's statements use table names without a schema. BullMQ sets the search
// path only for pools that it creates itself. In native ESM, BullMQ cannot create a pool, because it cannot load pg.
function createPostgresPool(url: string, options: pg.PoolConfig): pg.Pool {
  // Nothing else listens for errors of a connection that is idle or is just being checked out. Without this
  // listener, the loss of such a connection would end the process. The next query takes another connection.
  const logConnectionError = (error: Error) =>
    logger.warn(
      { err: error, stage: 'connection' },
      'The queue lost a connection to PostgreSQL; the next statement uses another connection.',
    );
  const pool = new pg.Pool({
    connectionString: url,
    ...options,
    application_name: 'galley queue',
    options: `-c search_path=${SEARCH_PATH}`,
    onConnect: (client) => {
      client.on('error', logConnectionError);
    },
  });
  return pool.on('error', logConnectionError);
}

/**
 * Creates and updates BullMQ's own tables in PostgreSQL, even if the queue is in Redis, so that operators can switch.
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
