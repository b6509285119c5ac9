import { afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { JobQueue } from '#queue';
import { createDatabase, type TestDatabase } from '../../support/galley/database.js';
import { eventually } from '../../support/eventually.js';

const redisUrl = process.env['REDIS_URL'];

let database: TestDatabase;
let queue: JobQueue;
let prefix: string;
let signalCount: number;

// The loss of a connection is logged, which would fill the output of the tests.
beforeAll(() => {
  Logger.overrideLogger(false);
});
beforeEach(async () => {
  database = await createDatabase();
  prefix = `galley-test-${process.hrtime.bigint()}`;
  signalCount = 0;
});
afterEach(async () => {
  await queue.onApplicationShutdown();
  await database.drop();
});

async function startListening(options: { redisUrl?: string }): Promise<void> {
  queue = new JobQueue({ databaseUrl: database.url, prefix, ...options });
  queue.onSignal(() => signalCount++);
  await waitForSignal();
}

/** Signals repeatedly, because a signal is lost if nobody listens or the connection is lost. */
async function waitForSignal(): Promise<void> {
  const before = signalCount;
  await eventually('a signal to arrive', async () => {
    await queue.signal().catch(() => undefined);
    return signalCount > before;
  });
}

it('signals through PostgreSQL resume after the connection was lost', async () => {
  await startListening({});
  const listenerPids = async () => {
    const rows = await database.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE application_name = 'galley listener' AND datname = current_database()`,
    );
    return rows.map(({ pid }) => pid);
  };
  const [pid = NaN, ...others] = await listenerPids();
  expect(others).toEqual([]);
  await database.query('SELECT pg_terminate_backend($1)', [pid]);
  await eventually('the listener to reconnect', async () => {
    const pids = await listenerPids();
    return pids.length === 1 && pids[0] !== pid;
  });
  await waitForSignal();
});

it('the loss of idle connections has no effect', async () => {
  await startListening({});
  const idleSessions = `pg_stat_activity
    WHERE application_name = 'galley queue' AND datname = current_database()`;
  expect(await database.count(idleSessions)).toBeGreaterThan(0);
  await database.query(`SELECT pg_terminate_backend(pid) FROM ${idleSessions}`);
  await eventually('the sessions to end', async () => (await database.count(idleSessions)) === 0);
  await waitForSignal();
});

(redisUrl ? it : it.skip)(
  'signals through Redis resume after the connection was lost',
  async () => {
    await startListening({ redisUrl: redisUrl ?? '' });
    const redis = new Redis(redisUrl ?? '');
    // Finds only the listener of this test, and no listener of another test that runs at the same time.
    const listenerId = async () => {
      const clients = String(await redis.client('LIST')).split('\n');
      const own = clients.find((client) => client.includes(`name=${prefix}:signal `));
      return /^id=(\d+)/.exec(own ?? '')?.[1];
    };
    const id = await listenerId();
    expect(await redis.client('KILL', 'ID', Number(id))).toBe(1);
    await eventually(
      'the listener to reconnect',
      async () => ![undefined, id].includes(await listenerId()),
    );
    redis.disconnect();
    await waitForSignal();
  },
);
