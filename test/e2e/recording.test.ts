import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { workerConfig } from '#config';
import { Deliveries, type ClaimedDelivery } from '#webhooks';
import pg from 'pg';
import { createWorker } from '../../apps/worker/worker.js';
import { eventually } from '../support/eventually.js';
import { startGalley, type Galley } from '../support/galley.js';
import { PostgresProxy } from '../support/postgres-proxy.js';

const SUCCESS = { ok: true, statusCode: 204, error: null, startedAt: new Date(), durationMs: 5 };

let galley: Galley;
let proxy: PostgresProxy;
// A worker's parts. It is not started, so that it takes nothing up by itself.
let worker: NestFastifyApplication;
let deliveries: Deliveries;

beforeAll(async () => {
  galley = await startGalley();
  proxy = await PostgresProxy.to(galley.database.url, 'galley worker');
  const environment = { ...galley.environment, DATABASE_URL: proxy.databaseUrl };
  worker = await createWorker(workerConfig(environment));
  deliveries = worker.get(Deliveries, { strict: false });
});
afterAll(async () => {
  await worker.close();
  await proxy.stop();
  await galley.stop();
});

/** Deliveries that this worker has taken up. */
async function takeUp(count: number): Promise<ClaimedDelivery[]> {
  const ada = await galley.as('ada');
  const { id: workspaceId } = await galley.workspaceOf('ada');
  await ada.post('/api/webhooks', {
    workspaceId,
    url: 'http://127.0.0.1:9/',
    events: ['template.created'],
  });
  for (let each = 0; each < count; each++) {
    await ada.post('/api/templates', { name: 'Welcome', workspaceId });
  }
  const { due } = await deliveries.relay();
  const claimed = await Promise.all(due.map((each) => deliveries.claim(each)));
  return claimed.filter((each) => each !== undefined);
}

const stateOf = async ({ id }: { id: string }) => {
  const [delivery] = await galley.database.query(
    `SELECT status, attempts, (SELECT count(*)::integer FROM webhook_attempts WHERE delivery_id = $1)
       AS recorded
     FROM webhook_deliveries WHERE id = $1`,
    [id],
  );
  return delivery;
};

const DELIVERED = { status: 'delivered', attempts: 1, recorded: 1 };

it('deliveries that somebody else holds keep no other one from being recorded', async () => {
  // More than there are connections.
  const all = await takeUp(8);
  const [free, held] = [all.slice(-1), all.slice(0, -1)];
  const holder = new pg.Client(galley.database.url);
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM webhook_deliveries WHERE id = ANY ($1) FOR UPDATE', [
    held.map(({ id }) => id),
  ]);

  const recordAll = (some: ClaimedDelivery[]) =>
    Promise.all(some.map((each) => deliveries.record(each, SUCCESS, undefined)));
  const waiting = recordAll(held);
  const locked = `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await eventually('them to wait', async () => (await galley.database.count(locked)) > 0);
  await recordAll(free);
  for (const each of free) expect(await stateOf(each)).toEqual(DELIVERED);
  for (const each of held) expect(await stateOf(each)).toMatchObject({ status: 'pending' });

  await holder.query('COMMIT');
  await holder.end();
  await waiting;
  for (const each of held) expect(await stateOf(each)).toEqual(DELIVERED);
  // Less than the 30 s after which PostgreSQL ends a statement that waits.
}, 15_000);

it('an attempt counts once, though PostgreSQL was lost before it could say that it was recorded', async () => {
  const both = await takeUp(2);
  const attempt = { ...SUCCESS, error: 'the answer to this is lost' };
  const lost = proxy.loseAnswerTo(attempt.error);
  await Promise.all(both.map((each) => deliveries.record(each, attempt, undefined)));
  await lost;
  for (const each of both) expect(await stateOf(each)).toEqual(DELIVERED);
});
