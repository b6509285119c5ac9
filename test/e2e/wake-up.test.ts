import { afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { JobQueue } from '#queue';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const redisUrl = process.env['REDIS_URL'];

let database: TestDatabase;
let queue: JobQueue;
let signals: number;

// The loss of a connection is logged.
beforeAll(() => {
  Logger.overrideLogger(false);
});
beforeEach(async () => {
  database = await createDatabase();
  signals = 0;
});
afterEach(async () => {
  await queue.onApplicationShutdown();
  await database.drop();
});

async function listen(options: { redisUrl?: string }): Promise<void> {
  const prefix = `galley-test-${process.hrtime.bigint()}`;
  queue = new JobQueue({ databaseUrl: database.url, prefix, ...options });
  queue.onRelaySignal(() => signals++);
  await isHeard();
}

/** Signals again and again, for a signal that comes while nobody listens is lost. */
async function isHeard(): Promise<void> {
  const before = signals;
  await eventually('a signal to be heard', async () => {
    await queue.signalRelay();
    return signals > before;
  });
}

it('signals in PostgreSQL come again after the connection was lost', async () => {
  await listen({});
  const [lost] = await database.query<{ count: number }>(
    `SELECT count(pg_terminate_backend(pid))::integer AS count FROM pg_stat_activity
     WHERE application_name = 'galley listener' AND datname = current_database()`,
  );
  expect(lost).toEqual({ count: 1 });
  await isHeard();
});

(redisUrl ? it : it.skip)('signals in Redis come again after the connection was lost', async () => {
  await listen({ redisUrl: redisUrl ?? '' });
  const redis = new Redis(redisUrl ?? '');
  expect(await redis.client('KILL', 'TYPE', 'pubsub')).toBeGreaterThan(0);
  redis.disconnect();
  await isHeard();
});
