import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { workerConfig } from '#config';
import { Deliveries } from '#webhooks';
import pg from 'pg';
import { createWorker } from '../../apps/worker/worker.js';
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

/** Two deliveries that this worker has taken up. */
async function takeUpTwo() {
  const ada = await galley.as('ada');
  const { id: workspaceId } = await galley.workspaceOf('ada');
  await ada.post('/api/webhooks', {
    workspaceId,
    url: 'http://127.0.0.1:9/',
    events: ['template.created'],
  });
  for (const name of ['One', 'Other']) await ada.post('/api/templates', { name, workspaceId });
  const { due } = await deliveries.relay();
  const [one, other] = await Promise.all(due.map((each) => deliveries.claim(each)));
  if (one === undefined || other === undefined) throw new Error('Both were to be taken up.');
  return [one, other] as const;
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

it('a delivery that somebody else holds keeps no other one from being recorded', async () => {
  const [held, free] = await takeUpTwo();
  const holder = new pg.Client(galley.database.url);
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE', [held.id]);

  const waiting = deliveries.record(held, SUCCESS, undefined);
  await deliveries.record(free, SUCCESS, undefined);
  expect(await stateOf(free)).toEqual(DELIVERED);
  expect(await stateOf(held)).toMatchObject({ status: 'pending' });

  await holder.query('COMMIT');
  await holder.end();
  await waiting;
  expect(await stateOf(held)).toEqual(DELIVERED);
  // Less than the 30 s after which PostgreSQL ends a statement that waits.
}, 15_000);

it('an attempt counts once, though PostgreSQL was lost before it could say that it was recorded', async () => {
  const both = await takeUpTwo();
  const attempt = { ...SUCCESS, error: 'the answer to this is lost' };
  const lost = proxy.loseAnswerTo(attempt.error);
  await Promise.all(both.map((each) => deliveries.record(each, attempt, undefined)));
  await lost;
  for (const each of both) expect(await stateOf(each)).toEqual(DELIVERED);
});
