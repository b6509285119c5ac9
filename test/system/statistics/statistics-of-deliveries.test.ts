import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Statistics, WebhookPage } from '#client';
import { loadWorkerConfig } from '#config';
import { createWorker } from '../../../apps/worker/worker.js';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { addEvents } from '../../support/webhooks/outbox-events.js';
import { subscribe } from '../../support/webhooks/subscriptions.js';

const ENDPOINTS = 4;
/** The deliveries to all endpoints together, without the deliveries of the replay. */
const DELIVERIES = 1_000;

let galley: Galley;
let ada: Client;
let receiver: Receiver;
let secondWorker: NestFastifyApplication;
let workspaceId: string;
let endpointIds: string[];

beforeAll(async () => {
  galley = await startGalley({ worker: true });
  secondWorker = await createWorker(loadWorkerConfig(galley.environment));
  await secondWorker.init();
  ada = await galley.clientFor('ada');
  receiver = await Receiver.start();
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
  endpointIds = [];
  for (let number = 0; number < ENDPOINTS; number++) {
    endpointIds.push((await subscribe(ada, workspaceId, receiver)).id);
  }
});
afterAll(async () => {
  await secondWorker.close();
  await galley.stop();
  await receiver.stop();
});

/** Of sixteen events, one fails in every attempt, and three fail in the first attempt at each endpoint. */
function failSomeEvents(): void {
  const requestsByEvent = new Map<string, number>();
  receiver.reaction = ({ headers }) => {
    const eventId = String(headers['webhook-id']);
    const requests = (requestsByEvent.get(eventId) ?? 0) + 1;
    requestsByEvent.set(eventId, requests);
    const digit = Number.parseInt(eventId.charAt(0), 16);
    return digit === 0 || (digit < 4 && requests <= ENDPOINTS) ? 500 : 204;
  };
}

/** Makes deliveries that wait for a retry due now, with at most two attempts left. */
async function shortenRetries(): Promise<void> {
  await galley.database.query(
    `UPDATE webhook_deliveries SET due_at = now(), attempts = greatest(attempts, 8)
     WHERE claimed_until IS NULL AND due_at > now()`,
  );
  for (const id of endpointIds) {
    // One statement for each endpoint. A worker locks several endpoints in the order of their ids; a statement
    // that locked several endpoints in another order could deadlock with the worker.
    await galley.database.query(
      `UPDATE webhook_traffic SET wake_at = now(), open_until = '-infinity' WHERE endpoint_id = $1`,
      [id],
    );
  }
}

async function finishAllDeliveries(): Promise<void> {
  await eventually(
    'all deliveries to finish',
    async () => {
      const count = (table: string) => galley.database.count(table);
      if ((await count('outbox')) + (await count('webhook_deliveries')) === 0) return true;
      const isBusy = 'webhook_deliveries WHERE claimed_until IS NOT NULL';
      if ((await count(isBusy)) === 0) await shortenRetries();
      return false;
    },
    { timeout: 150_000 },
  );
}

/** Counts attempts and deliveries in the delivery log, of one endpoint or of all. */
async function countLog(endpointId?: string) {
  const [row] = await galley.database.query<Record<string, number>>(
    `SELECT sum(made)::integer AS attempts,
       count(*) FILTER (WHERE status = 'delivered')::integer AS delivered,
       count(*) FILTER (WHERE status = 'failed')::integer AS failed,
       (sum(made) - count(*))::integer AS retried
     FROM webhook_delivery_log log CROSS JOIN LATERAL (
       SELECT count(*) AS made FROM webhook_attempts WHERE delivery_id = log.id
     ) attempts
     WHERE $1::uuid IS NULL OR endpoint_id = $1`,
    [endpointId],
  );
  return row;
}

const countsOf = ({ attempts, delivered, failed, retried }: Statistics['totals']) => ({
  attempts,
  delivered,
  failed,
  retried,
});

async function expectStatisticsToEqualLog(): Promise<void> {
  const workspaceStats = `/api/webhooks/stats?workspaceId=${workspaceId}`;
  const { body: all } = await ada.get<Statistics>(workspaceStats);
  expect(countsOf(all.totals)).toEqual(await countLog());
  const { body: list } = await ada.get<WebhookPage>(
    `/api/webhooks?workspaceId=${workspaceId}&stats=true`,
  );
  for (const id of endpointIds) {
    const { body } = await ada.get<Statistics>(`/api/webhooks/${id}/stats`);
    const expected = await countLog(id);
    expect(countsOf(body.totals)).toEqual(expected);
    const sumOfSteps = body.data.reduce((sum, { attempts }) => sum + attempts, 0);
    expect(sumOfSteps).toBe(body.totals.attempts);
    const listed = list.data.find((webhook) => webhook.id === id);
    expect(listed?.stats).toMatchObject(expected ?? {});
  }
}

it('the statistics equal the log, with failures, retries, a replay and two workers', async () => {
  failSomeEvents();
  await addEvents(galley.database, DELIVERIES / ENDPOINTS, { id: workspaceId });
  await finishAllDeliveries();
  const counts = await countLog();
  expect(counts?.['delivered']).toBeGreaterThan(DELIVERIES / 2);
  expect(counts?.['failed']).toBeGreaterThan(0);
  expect(counts?.['retried']).toBeGreaterThan(DELIVERIES / 10);
  await expectStatisticsToEqualLog();

  receiver.reaction = () => 204;
  const [endpointId] = endpointIds;
  await ada.post(`/api/webhooks/${endpointId}/replays`, {
    since: '2026-01-01T00:00:00Z',
    status: ['failed'],
  });
  await eventually('the replay to be done', async () => {
    const { body } = await ada.get<{ data: { status: string }[] }>(
      `/api/webhooks/${endpointId}/replays`,
    );
    return body.data[0]?.status === 'done';
  });
  await finishAllDeliveries();
  const countsWithReplay = await countLog();
  expect(countsWithReplay?.['delivered']).toBeGreaterThan(counts?.['delivered'] ?? NaN);
  await expectStatisticsToEqualLog();
});

it('a failed delivery that is retried counts again when it ends', async () => {
  const [endpointId] = endpointIds;
  const before = (await ada.get<Statistics>(`/api/webhooks/${endpointId}/stats`)).body.totals;
  const { body } = await ada.get<{ data: { id: string }[] }>(
    `/api/webhooks/${endpointId}/deliveries?status=failed&limit=1`,
  );
  await ada.post(`/api/webhooks/${endpointId}/deliveries/${body.data[0]?.id}/retry`);
  await finishAllDeliveries();
  const after = (await ada.get<Statistics>(`/api/webhooks/${endpointId}/stats`)).body.totals;
  expect(countsOf(after)).toEqual({
    ...countsOf(before),
    attempts: before.attempts + 1,
    delivered: before.delivered + 1,
  });
});

it('cancelled deliveries do not count', async () => {
  const [endpointId] = endpointIds;
  await ada.post(`/api/webhooks/${endpointId}/disable`);
  const path = `/api/webhooks/stats?workspaceId=${workspaceId}`;
  const before = (await ada.get<Statistics>(path)).body.totals;
  await addEvents(galley.database, 1, { id: workspaceId });
  await eventually(
    'the other endpoints to be notified',
    async () => (await galley.database.count('webhook_deliveries')) === 1,
  );
  await ada.post(`/api/webhooks/${endpointId}/deliveries/cancel`);
  const after = (await ada.get<Statistics>(path)).body.totals;
  const others = ENDPOINTS - 1;
  expect(countsOf(after)).toEqual({
    ...countsOf(before),
    attempts: before.attempts + others,
    delivered: before.delivered + others,
  });
});
