import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadWorkerConfig } from '#config';
import { Database } from '#database';
import { AttemptRecorder, ReplayJob, Claims } from '#webhooks';
import { createWorker } from '../../../apps/worker/worker.js';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { subscribe } from '../../support/webhooks/subscriptions.js';
import { SUCCESSFUL_ATTEMPT } from '../../support/webhooks/attempts.js';

const LIMIT = 50;
const FIRST_RESOURCE_ID = '00000000-0000-7000-8000-000000000001';
const SECOND_RESOURCE_ID = '00000000-0000-7000-8000-000000000002';

let galley: Galley;
let receiver: Receiver;
// The parts of a worker that is not started, so that it claims nothing by itself.
let worker: NestFastifyApplication;
let claims: Claims;
let ada: Client;
let endpointId: string;
let workspaceId: string;

beforeAll(async () => {
  galley = await startGalley();
  receiver = await Receiver.start();
  worker = await createWorker(loadWorkerConfig(galley.environment));
  claims = worker.get(Claims, { strict: false });
});
afterAll(async () => {
  await worker.close();
  await receiver.stop();
  await galley.stop();
});

beforeEach(async () => {
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
  endpointId = (await subscribe(ada, workspaceId, receiver)).id;
});

/** Inserts events, each of a new resource, and their deliveries, as the relay creates them. */
async function insertDeliveries(count: number, columns = '', values = ''): Promise<void> {
  await galley.database.query(
    `WITH event AS (
       INSERT INTO events (workspace_id, position, id, kind, resource_id, sequence, data,
         occurred_at, relayed_at)
       SELECT $2, (SELECT count(*) FROM events WHERE workspace_id = $2) + n, gen_random_uuid(),
         'template.created', gen_random_uuid(), 1, '{}', now(), now()
       FROM generate_series(1, $3::integer) n RETURNING *
     )
     INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
       event_relayed_at, event_id, kind, sequence, resource_id, due_at ${columns})
     SELECT $1, uuidv7_at(now()), workspace_id, position, relayed_at, id, kind, 1,
       resource_id, now() ${values} FROM event`,
    [endpointId, workspaceId, count],
  );
}

const readTraffic = async () => {
  const [row] = await galley.database.query<{ in_flight: number; is_draining: boolean }>(
    'SELECT in_flight, is_draining FROM webhook_traffic WHERE endpoint_id = $1',
    [endpointId],
  );
  return row;
};

const updateTraffic = (assignments: string) =>
  galley.database.query(`UPDATE webhook_traffic SET ${assignments} WHERE endpoint_id = $1`, [
    endpointId,
  ]);

describe('a claim', () => {
  it('continues with another resource if all deliveries it read wait for an earlier one', async () => {
    await insertDeliveries(4, ', is_ordered', ', true');
    await insertDeliveries(1, ', is_ordered', ', true');
    await galley.database.query(
      `UPDATE webhook_deliveries SET resource_id = CASE event_position WHEN 5 THEN $2 ELSE $1 END::uuid,
         due_at = now() + CASE event_position WHEN 1 THEN interval '2 hours' ELSE '-1 s' END
           + event_position * interval '1 ms'
       WHERE endpoint_id = $3`,
      [FIRST_RESOURCE_ID, SECOND_RESOURCE_ID, endpointId],
    );
    await updateTraffic('window_size = 2');
    await galley.database.query('UPDATE webhook_endpoints SET ordered = true WHERE id = $1', [
      endpointId,
    ]);
    const firstClaim = await claims.claim(endpointId, LIMIT);
    expect(firstClaim).toMatchObject({ deliveries: [], hasMore: true });
    const secondClaim = await claims.claim(endpointId, LIMIT);
    expect(secondClaim).toMatchObject({ deliveries: [{ sequence: 1 }], hasMore: false });
  });

  it('continues after two deliveries of one event have finished together', async () => {
    await insertDeliveries(4, ', is_ordered', ', true');
    await galley.database.query(
      `UPDATE webhook_deliveries SET resource_id = $1, event_position = (event_position + 1) / 2,
         due_at = CASE WHEN event_position <= 2 THEN now() ELSE 'infinity' END
       WHERE endpoint_id = $2`,
      [FIRST_RESOURCE_ID, endpointId],
    );
    await galley.database.query('UPDATE webhook_endpoints SET ordered = true WHERE id = $1', [
      endpointId,
    ]);
    const attemptRecorder = worker.get(AttemptRecorder, { strict: false });
    await updateTraffic('window_size = 2');
    const { deliveries: claimed } = await claims.claim(endpointId, LIMIT);
    expect(claimed).toHaveLength(2);
    await Promise.all(
      claimed.map((delivery) => attemptRecorder.record(delivery, SUCCESSFUL_ATTEMPT, undefined)),
    );
    expect((await claims.claim(endpointId, LIMIT)).deliveries).toHaveLength(2);
  });

  it('does not reschedule the endpoint while its window is full', async () => {
    await insertDeliveries(3);
    await galley.database.query('UPDATE webhook_endpoints SET rate_limit = 1000 WHERE id = $1', [
      endpointId,
    ]);
    await updateTraffic('window_size = 2');
    expect((await claims.claim(endpointId, LIMIT)).deliveries).toHaveLength(2);
    expect(await claims.claim(endpointId, LIMIT)).toEqual({
      deliveries: [],
      hasMore: false,
      pausedForMs: null,
    });
  });

  it('counts deliveries of a dead worker as in flight', async () => {
    await insertDeliveries(5, ', claims, claimed_until', ", 1, now() - interval '1 s'");
    await updateTraffic("in_flight = 5, window_size = 5, claimed_until = now() - interval '1 s'");
    expect((await claims.claim(endpointId, 2)).deliveries).toHaveLength(2);
    expect(await readTraffic()).toMatchObject({ in_flight: 2 });
    expect((await claims.claim(endpointId, LIMIT)).deliveries).toHaveLength(3);
    expect(await readTraffic()).toMatchObject({ in_flight: 5 });
  });

  it('begins with deliveries that a user retries', async () => {
    await insertDeliveries(5);
    const path = `/api/webhooks/${endpointId}/deliveries`;
    const { body } = await ada.get<{ data: { id: string }[] }>(path);
    const lastDeliveryId = body.data[0]?.id ?? '';
    expect((await ada.post(`${path}/${lastDeliveryId}/retry`)).status).toBe(202);
    expect((await claims.claim(endpointId, 1)).deliveries).toMatchObject([{ id: lastDeliveryId }]);
  });

  it('lets users cancel the deliveries of a dead worker', async () => {
    await insertDeliveries(1);
    const [delivery] = (await claims.claim(endpointId, 1)).deliveries;
    const path = `/api/webhooks/${endpointId}/deliveries/${delivery?.id}/cancel`;
    expect((await ada.post(path)).status).toBe(409);
    await galley.database.query(
      `UPDATE webhook_deliveries SET claimed_until = now() - interval '1 s' WHERE id = $1`,
      [delivery?.id],
    );
    expect((await ada.post(path)).status).toBe(204);
    expect(await readTraffic()).toMatchObject({ in_flight: 0 });
  });

  it('has a limited rate only while held deliveries are left', async () => {
    await updateTraffic('is_draining = true, window_size = 100');
    await insertDeliveries(20);
    await galley.database.query(
      `UPDATE webhook_deliveries SET due_at = now() - interval '1 hour'
       WHERE endpoint_id = $1 AND event_position <= 5`,
      [endpointId],
    );
    expect((await claims.claim(endpointId, LIMIT)).deliveries.length).toBeLessThan(10);
    await updateTraffic("paced_until = '-infinity'");
    await claims.claim(endpointId, LIMIT);
    expect(await readTraffic()).toMatchObject({ is_draining: false });
    expect((await claims.claim(endpointId, LIMIT)).deliveries.length).toBeGreaterThanOrEqual(8);
  });
});

it('a replay without room backs off', async () => {
  const job = new ReplayJob(worker.get(Database), 30, () => Promise.resolve());
  const step = () => eventually('a step to be due', async () => (await job.step()) === 0);
  await insertDeliveries(101);
  await ada.post(`/api/webhooks/${endpointId}/deliveries/cancel`);
  await ada.post(`/api/webhooks/${endpointId}/disable`);
  const replayResponse = await ada.post(`/api/webhooks/${endpointId}/replays`, {
    since: '2026-01-01T00:00:00Z',
  });
  expect(replayResponse.body).toMatchObject({ total: 101 });
  // The first step fills the endpoint's backlog; the other steps find no room, and their pauses grow.
  for (let steps = 0; steps < 6; steps++) await step();
  expect(await job.step()).toBeGreaterThan(500);
  // Deliveries that wait for a retry do not count towards the backlog of a replay; otherwise a hundred
  // failures would stop the replay for days.
  await galley.database.query(
    `UPDATE webhook_deliveries SET attempts = 1, due_at = now() + interval '1 hour'
     WHERE endpoint_id = $1`,
    [endpointId],
  );
  await step();
  const { body } = await ada.get<{ data: object[] }>(`/api/webhooks/${endpointId}/replays`);
  expect(body.data).toMatchObject([{ status: 'done', done: 101 }]);
  // The replay is done, although none of its deliveries has been sent yet.
  const cancelPath = `/api/webhooks/${endpointId}/replays/${(replayResponse.body as { id: string }).id}/cancel`;
  expect((await ada.post(cancelPath)).body).toMatchObject({ status: 'cancelled' });
  const pendingDeliveries = `webhook_deliveries WHERE endpoint_id = '${endpointId}'`;
  expect(await galley.database.count(pendingDeliveries)).toBe(0);
});
