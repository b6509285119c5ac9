import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '#database';
import { migrateQueue } from '#queue';
import {
  ensureDatabase,
  startPostgres,
  type Postgres,
} from '../../apps/standalone/postgres/postgres.js';
import { Client } from '../support/api/client.js';
import { createDatabase, type TestDatabase } from '../support/galley/database.js';
import { AUDIENCE, Issuer } from '../support/identity/issuer.js';
import { Child } from './child.js';
import { startRedis } from './redis.js';

/** How long and how often to measure. */
export interface Scale {
  rounds: number;
  /** The duration of one measurement with the load generator. */
  seconds: number;
  quick: boolean;
}

/**
 * The settings of a small production server. The settings for durability (fsync, synchronous_commit) are
 * PostgreSQL's defaults.
 */
const POSTGRES_SETTINGS = [
  'shared_buffers=1GB',
  'max_wal_size=8GB',
  'track_commit_timestamp=on',
  'shared_preload_libraries=pg_stat_statements',
];
const TEMPLATE = 'bench_template';

export type Queue = 'Redis' | 'PostgreSQL';

/** Galley's production build with a separate database. */
export interface Installation {
  database: TestDatabase;
  url: string;
  token: string;
  client: Client;
  workspaceId: string;
  processes: Child[];
  /** A client with the token of another user. */
  as(name: string): Promise<Client>;
  startApi(): Promise<Child>;
  startWorker(): Promise<Child>;
  stop(): Promise<void>;
}

/** The services of a run: PostgreSQL, Redis if the machine has it, an identity provider. */
export class Harness {
  private constructor(
    private readonly postgres: Postgres,
    private readonly redisServer: Child | undefined,
    private readonly issuer: Issuer,
    public scale: Scale,
  ) {}

  static async start(scale: Scale): Promise<Harness> {
    const directory = await mkdtemp(join(tmpdir(), 'galley-bench-'));
    // Deletes the directory however the benchmark ends. The deletion is retried, because PostgreSQL may
    // still be writing if the benchmark was interrupted.
    process.once('exit', () =>
      rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
    );
    const flags = POSTGRES_SETTINGS.flatMap((setting) => ['-c', setting]);
    const [postgres, redis, issuer] = await Promise.all([
      startPostgres({ dataDir: directory, flags }),
      startRedis(directory),
      Issuer.start(),
    ]);
    await ensureDatabase(postgres, TEMPLATE);
    await migrate(postgres.urlOf(TEMPLATE));
    await migrateQueue(postgres.urlOf(TEMPLATE));
    process.env['GALLEY_TEST_SERVER'] = postgres.urlOf('postgres');
    process.env['GALLEY_TEST_TEMPLATE'] = TEMPLATE;
    return new Harness(postgres, redis, issuer, scale);
  }

  get redisUrl(): string | undefined {
    return this.redisServer?.url;
  }

  get redisProcessId(): number | undefined {
    return this.redisServer?.process.pid;
  }

  /** The queue of rows that do not choose a queue. */
  get queue(): Queue {
    return this.redisServer ? 'Redis' : 'PostgreSQL';
  }

  /** @param template the database to copy, by default one with Galley's tables. */
  database(template?: string): Promise<TestDatabase> {
    return createDurableDatabase(template);
  }

  /**
   * @param api the program to run as the API, a file of dist.
   * @param environment variables for the API and the workers, besides those of all installations.
   * @param waitsForDisk whether commits wait for the disk, as in production.
   * @param logsRequests whether the API logs each request, as in production.
   */
  async install({
    queue = this.queue,
    api = 'apps/api/main.js',
    database,
    environment: ownEnvironment = {},
    waitsForDisk = true,
    logsRequests = false,
  }: {
    queue?: Queue;
    api?: string;
    database?: TestDatabase;
    environment?: Record<string, string>;
    waitsForDisk?: boolean;
    logsRequests?: boolean;
  } = {}): Promise<Installation> {
    const ownDatabase = database ?? (await this.database());
    if (!waitsForDisk) await setSynchronousCommit(ownDatabase, 'off');
    const environment: Record<string, string> = {
      HOST: '127.0.0.1',
      // Only in development, webhooks may use plain HTTP, which the receivers on this machine speak.
      NODE_ENV: 'development',
      WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
      // Requests are counted, as in production, and never refused.
      RATE_LIMIT_ADDRESS: '999999999',
      RATE_LIMIT_USER: '999999999',
      DATABASE_URL: ownDatabase.url,
      SECRETS_KEYS: randomBytes(32).toString('base64'),
      AUTH_ISSUER: this.issuer.url,
      AUTH_AUDIENCE: AUDIENCE,
      QUEUE_PREFIX: `bench-${randomUUID()}`,
      ...(queue === 'Redis' && { REDIS_URL: this.redisUrl ?? '' }),
      ...ownEnvironment,
    };
    // At the level `warn`, the API logs no requests, because the baselines log none.
    const logLevel = logsRequests ? 'info' : 'warn';
    const startApi = () => Child.start(api, { ...environment, LOG_LEVEL: logLevel });
    const processes = [await startApi()];
    const { url } = processes[0] as Child;
    const token = await this.issuer.token('bench', { expiresIn: '2h' });
    const client = new Client(url, token);
    const { body } = await client.post<{ id: string }>('/api/workspaces', { name: 'Bench' });
    return {
      database: ownDatabase,
      url,
      token,
      client,
      workspaceId: body.id,
      processes,
      as: async (name) => new Client(url, await this.issuer.token(name, { expiresIn: '2h' })),
      startApi: async () => {
        const started = await startApi();
        processes.push(started);
        return started;
      },
      startWorker: async () => {
        const worker = await Child.start('apps/worker/main.js', environment, {
          portVariable: 'WORKER_PORT',
        });
        processes.push(worker);
        return worker;
      },
      stop: async () => {
        await Promise.all(processes.map((child) => child.stop()));
        if (database === undefined) await ownDatabase.drop();
      },
    };
  }

  async stop(): Promise<void> {
    await this.issuer.stop();
    await this.redisServer?.stop();
    await this.postgres.stop();
  }
}

/** A database whose commits wait for the disk, unlike those of the tests. */
export async function createDurableDatabase(template?: string): Promise<TestDatabase> {
  const database = await createDatabase(template);
  await setSynchronousCommit(database, 'on');
  return database;
}

/** Sets whether the commits of later sessions wait for the disk. */
async function setSynchronousCommit(database: TestDatabase, value: 'on' | 'off'): Promise<void> {
  const { pathname } = new URL(database.url);
  await database.query(`ALTER DATABASE ${pathname.slice(1)} SET synchronous_commit = ${value}`);
}
