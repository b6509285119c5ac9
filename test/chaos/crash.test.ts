import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { migrate } from '#database';
import { JobQueue, migrateQueue } from '#queue';
import { Redis } from 'ioredis';
import pg from 'pg';
import { loadApiConfig } from '#config';
import { createApi } from '../../apps/api/api.js';
import { probePort } from '../../apps/standalone/ports.js';
import { startPostgres, type Postgres } from '../../apps/standalone/postgres/postgres.js';
import type { Child } from '../bench/child.js';
import { startRedis } from '../bench/redis.js';
import { Client } from '../support/api/client.js';
import { eventually } from '../support/eventually.js';
import { AUDIENCE, Issuer } from '../support/identity/issuer.js';
import { Receiver } from '../support/webhooks/receiver.js';
import { subscribe } from '../support/webhooks/subscriptions.js';

/** Whether the test runs in full length, as in `npm run test:chaos`. */
const full = process.env['CHAOS'] === 'full';
const ENDPOINTS = 2;
const EVENTS = (full ? 20_000 : 1_600) / ENDPOINTS;
const KILLS = full ? 50 : 4;
const WORKERS = 2;
// Deliveries that are in flight when a worker is killed arrive twice. Their share is larger if there are
// fewer deliveries for each kill, or if the machine is slower.
const MOST_DUPLICATES = full ? 0.01 : 0.1;
const EVENTS_PER_SECOND = 100;
const TICK_MS = 50;

let directory: string;
let postgres: Postgres;
let postgresPort: number;
let redis: Child | undefined;
let issuer: Issuer;
let environment: Record<string, string>;
let receivers: Receiver[];
let workspaceId: string;
let signals: JobQueue;
const workers = new Set<ChildProcess>();

const startServer = () =>
  startPostgres({ dataDir: directory, flags: ['-c', `port=${postgresPort}`] });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'galley-chaos-'));
  postgresPort = await probePort(0);
  postgres = await startServer();
  // `urlOf` names a port that `startPostgres` chose. The server listens on `postgresPort` instead, because
  // PostgreSQL uses the last setting, and the flags of `startServer` come last.
  const url = Object.assign(new URL(postgres.urlOf('postgres')), {
    port: String(postgresPort),
  }).href;
  await migrate(url);
  await migrateQueue(url);
  if (process.env['REDIS_URL']) redis = await startRedis(directory);
  issuer = await Issuer.start();
  environment = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    HOST: '127.0.0.1',
    DATABASE_URL: url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    ...(redis && { REDIS_URL: redis.url }),
  };
  const api = await createApi(loadApiConfig(environment));
  await api.listen(0, '127.0.0.1');
  const ada = new Client(await api.getUrl(), await issuer.token('ada'));
  const { body } = await ada.post<{ id: string }>('/api/workspaces', { name: 'Chaos' });
  workspaceId = body.id;
  signals = new JobQueue({
    databaseUrl: url,
    prefix: 'galley',
    ...(redis && { redisUrl: redis.url }),
  });
  receivers = await Promise.all(Array.from({ length: ENDPOINTS }, () => Receiver.start()));
  for (const receiver of receivers) await subscribe(ada, workspaceId, receiver);
  await api.close();
});
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  await signals.onApplicationShutdown();
  await issuer.stop();
  await redis?.stop();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

async function startWorker(): Promise<void> {
  const env = { ...environment, WORKER_PORT: String(await probePort(0)) };
  const worker = spawn(process.execPath, ['dist/apps/worker/main.js'], { env, stdio: 'ignore' });
  workers.add(worker);
  worker.once('exit', () => workers.delete(worker));
}

/** Runs `work` on a separate connection, and repeats `work` while PostgreSQL is away. */
async function retryUntilCommitted<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  return eventually('PostgreSQL to respond', async () => {
    const client = new pg.Client(environment['DATABASE_URL']);
    client.on('error', () => undefined);
    try {
      await client.connect();
      return { result: await work(client) };
    } catch {
      return undefined;
    } finally {
      await client.end().catch(() => undefined);
    }
  }).then(({ result }) => result);
}

const committed = new Set<string>();
const rolledBack = new Set<string>();

/** Writes events at a steady rate; a tenth of them is rolled back. */
async function writeEvents(): Promise<void> {
  const share = (EVENTS_PER_SECOND * TICK_MS) / 1000;
  for (let written = 0; written < EVENTS; written += share) {
    await retryUntilCommitted(async (client) => {
      const insert = async () => {
        const { rows } = await client.query<{ id: string }>(
          `INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data)
           SELECT gen_random_uuid(), 'template.created', $1, gen_random_uuid(), 1, '{}'
           FROM generate_series(1, $2::integer) RETURNING id`,
          [workspaceId, share],
        );
        return rows.map(({ id }) => id);
      };
      if (randomInt(10) === 0) {
        await client.query('BEGIN');
        for (const id of await insert()) rolledBack.add(id);
        await client.query('ROLLBACK');
      }
      await client.query('BEGIN');
      const ids = await insert();
      // If the response to COMMIT is lost, nobody knows whether the events were committed. Such events are in
      // neither set: they may arrive or not.
      await client.query('COMMIT');
      for (const id of ids) committed.add(id);
    });
    // Signals new events to the workers, as the API does. A signal is lost while PostgreSQL or Redis is away.
    await signals.signal().catch(() => undefined);
    await delay(TICK_MS);
  }
}

async function killRandomly(writing: Promise<void>): Promise<void> {
  const writers = { done: false };
  void writing.finally(() => (writers.done = true));
  const seconds = EVENTS / EVENTS_PER_SECOND;
  for (let kill = 1; kill <= KILLS && !writers.done; kill++) {
    await delay(((0.5 + Math.random()) * seconds * 1000) / (KILLS + 2));
    const [victim] = workers;
    if (victim) {
      const exited = once(victim, 'exit');
      victim.kill('SIGKILL');
      await exited;
    }
    await startWorker();
    if (kill === Math.ceil(KILLS / 3) && redis) {
      const client = new Redis(redis.url);
      await client.flushall();
      client.disconnect();
    }
    if (kill === Math.ceil((2 * KILLS) / 3)) {
      await postgres.stop();
      postgres = await startServer();
    }
  }
}

it(
  'every committed event is delivered and no other, whatever is killed',
  async () => {
    for (let each = 0; each < WORKERS; each++) await startWorker();
    const writing = writeEvents();
    await Promise.all([writing, killRandomly(writing)]);
    const idsAt = (receiver: Receiver) =>
      receiver.received.map(({ headers }) => String(headers['webhook-id']));
    await eventually(
      'all events to arrive at all endpoints',
      () =>
        receivers.every((receiver) => {
          const seen = new Set(idsAt(receiver));
          return [...committed].every((id) => seen.has(id));
        }),
      { timeout: 90_000 },
    );
    const left = 'SELECT count(*)::integer AS count FROM webhook_deliveries';
    await eventually('all attempts to be recorded', () =>
      retryUntilCommitted(async (client) => {
        const { rows } = await client.query<{ count: number }>(left);
        return rows[0]?.count === 0;
      }),
    );
    const all = receivers.flatMap(idsAt);
    expect(all.filter((id) => rolledBack.has(id))).toEqual([]);
    const distinct = receivers.reduce((sum, receiver) => sum + new Set(idsAt(receiver)).size, 0);
    const duplicates = all.length - distinct;
    process.stdout.write(`${distinct} deliveries, ${duplicates} duplicates, ${KILLS} kills\n`);
    expect(duplicates / distinct).toBeLessThan(MOST_DUPLICATES);
  },
  full ? 900_000 : 180_000,
);
