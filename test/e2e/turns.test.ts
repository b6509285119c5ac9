import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { workerConfig } from '#config';
import { Records, Replays, Turns } from '#webhooks';
import { createWorker } from '../../apps/worker/worker.js';
import type { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { startGalley, type Galley } from '../support/galley.js';
import { Sink } from '../support/sink.js';
import { subscribe } from '../support/webhooks.js';

const ROOM = 50;
const FIRST = '00000000-0000-7000-8000-000000000001';
const SECOND = '00000000-0000-7000-8000-000000000002';

let galley: Galley;
let sink: Sink;
// A worker's parts. It is not started, so that it takes nothing up by itself.
let worker: NestFastifyApplication;
let turns: Turns;
let ada: Client;
let id: string;
let workspaceId: string;

beforeAll(async () => {
  galley = await startGalley();
  sink = await Sink.start();
  worker = await createWorker(workerConfig(galley.environment));
  turns = worker.get(Turns, { strict: false });
});
afterAll(async () => {
  await worker.close();
  await sink.stop();
  await galley.stop();
});

beforeEach(async () => {
  ada = await galley.as('ada');
  workspaceId = (await galley.workspaceOf('ada')).id;
  id = (await subscribe(ada, workspaceId, sink)).id;
});

/** Events of one resource and their deliveries, as a relay has left them. */
async function deliveries(count: number, columns = '', values = ''): Promise<void> {
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
    [id, workspaceId, count],
  );
}

const flow = async () => {
  const [row] = await galley.database.query<{ in_flight: number; is_draining: boolean }>(
    'SELECT in_flight, is_draining FROM webhook_flows WHERE endpoint_id = $1',
    [id],
  );
  return row;
};

const setFlow = (assignments: string) =>
  galley.database.query(`UPDATE webhook_flows SET ${assignments} WHERE endpoint_id = $1`, [id]);

describe('a turn', () => {
  it('goes on to another resource when all that it looked at waits for an earlier one', async () => {
    await deliveries(4, ', is_ordered', ', true');
    await deliveries(1, ', is_ordered', ', true');
    await galley.database.query(
      `UPDATE webhook_deliveries SET resource_id = CASE event_position WHEN 5 THEN $2 ELSE $1 END::uuid,
         due_at = now() + CASE event_position WHEN 1 THEN interval '2 hours' ELSE '-1 s' END
           + event_position * interval '1 ms'
       WHERE endpoint_id = $3`,
      [FIRST, SECOND, id],
    );
    await setFlow('window_size = 2');
    await galley.database.query('UPDATE webhook_endpoints SET ordered = true WHERE id = $1', [id]);
    const first = await turns.claim(id, ROOM);
    expect(first).toMatchObject({ deliveries: [], again: true });
    const second = await turns.claim(id, ROOM);
    expect(second).toMatchObject({ deliveries: [{ sequence: 1 }], again: false });
  });

  it('goes on when an event was to be sent twice, and both ended together', async () => {
    await deliveries(4, ', is_ordered', ', true');
    await galley.database.query(
      `UPDATE webhook_deliveries SET resource_id = $1, event_position = (event_position + 1) / 2,
         due_at = CASE WHEN event_position <= 2 THEN now() ELSE 'infinity' END
       WHERE endpoint_id = $2`,
      [FIRST, id],
    );
    await galley.database.query('UPDATE webhook_endpoints SET ordered = true WHERE id = $1', [id]);
    const records = worker.get(Records, { strict: false });
    const attempt = {
      ...{ ok: true, statusCode: 204, stage: null, error: null, startedAt: new Date() },
      ...{ durationMs: 1, requestHeaders: {}, responseHeaders: {}, responseBody: '' },
    };
    await setFlow('window_size = 2');
    const { deliveries: first } = await turns.claim(id, ROOM);
    expect(first).toHaveLength(2);
    await Promise.all(first.map((delivery) => records.record(delivery, attempt, undefined)));
    expect((await turns.claim(id, ROOM)).deliveries).toHaveLength(2);
  });

  it('does not look again and again while it is the window that is full, and not the rate', async () => {
    await deliveries(3);
    await galley.database.query('UPDATE webhook_endpoints SET rate_limit = 1000 WHERE id = $1', [
      id,
    ]);
    await setFlow('window_size = 2');
    expect((await turns.claim(id, ROOM)).deliveries).toHaveLength(2);
    expect(await turns.claim(id, ROOM)).toEqual({ deliveries: [], again: false, pausedFor: null });
  });

  it('counts what it takes over from a worker that has died', async () => {
    await deliveries(5, ', claims, claimed_until', ", 1, now() - interval '1 s'");
    await setFlow("in_flight = 5, window_size = 5, claimed_until = now() - interval '1 s'");
    expect((await turns.claim(id, 2)).deliveries).toHaveLength(2);
    expect(await flow()).toMatchObject({ in_flight: 2 });
    expect((await turns.claim(id, ROOM)).deliveries).toHaveLength(3);
    expect(await flow()).toMatchObject({ in_flight: 5 });
  });

  it('begins with what somebody wants to be retried', async () => {
    await deliveries(5);
    const path = `/api/webhooks/${id}/deliveries`;
    const { body } = await ada.get<{ data: { id: string }[] }>(path);
    const last = body.data[0]?.id ?? '';
    expect((await ada.post(`${path}/${last}/retry`)).status).toBe(202);
    expect((await turns.claim(id, 1)).deliveries).toMatchObject([{ id: last }]);
  });

  it('leaves what a worker took along when it died to whoever cancels it', async () => {
    await deliveries(1);
    const [delivery] = (await turns.claim(id, 1)).deliveries;
    const path = `/api/webhooks/${id}/deliveries/${delivery?.id}/cancel`;
    expect((await ada.post(path)).status).toBe(409);
    await galley.database.query(
      `UPDATE webhook_deliveries SET claimed_until = now() - interval '1 s' WHERE id = $1`,
      [delivery?.id],
    );
    expect((await ada.post(path)).status).toBe(204);
    expect(await flow()).toMatchObject({ in_flight: 0 });
  });

  it('is limited in its rate no longer than there is something left that was held', async () => {
    await setFlow('is_draining = true, window_size = 100');
    await deliveries(20);
    await galley.database.query(
      `UPDATE webhook_deliveries SET due_at = now() - interval '1 hour'
       WHERE endpoint_id = $1 AND event_position <= 5`,
      [id],
    );
    expect((await turns.claim(id, ROOM)).deliveries.length).toBeLessThan(10);
    await setFlow("paced_until = '-infinity'");
    await turns.claim(id, ROOM);
    expect(await flow()).toMatchObject({ is_draining: false });
    expect((await turns.claim(id, ROOM)).deliveries.length).toBeGreaterThanOrEqual(8);
  });
});

it('a replay that finds no room is not looked at again and again', async () => {
  const replays = worker.get(Replays, { strict: false });
  await deliveries(101);
  await ada.post(`/api/webhooks/${id}/deliveries/cancel`);
  await ada.post(`/api/webhooks/${id}/disable`);
  const replay = await ada.post(`/api/webhooks/${id}/replays`, { since: '2026-01-01T00:00:00Z' });
  expect(replay.body).toMatchObject({ total: 101 });
  // The first step takes all the room there is, the others find none and come ever later.
  for (let step = 0; step < 6; step++) {
    await eventually('a step to be due', async () => (await turns.sweep()).hasReplays);
    await replays.step(30);
  }
  expect(await turns.sweep()).toMatchObject({ hasReplays: false });
  expect((await turns.sweep()).nextIn).toBeGreaterThan(500);
  // What waits for a retry takes nobody's place, or a hundred failures would end it for days.
  await galley.database.query(
    `UPDATE webhook_deliveries SET attempts = 1, due_at = now() + interval '1 hour'
     WHERE endpoint_id = $1`,
    [id],
  );
  await eventually('a third step to be due', async () => (await turns.sweep()).hasReplays);
  await replays.step(30);
  const { body } = await ada.get<{ data: object[] }>(`/api/webhooks/${id}/replays`);
  expect(body.data).toMatchObject([{ status: 'done', done: 101 }]);
  // It is done, but nothing of it was sent yet.
  const cancel = `/api/webhooks/${id}/replays/${(replay.body as { id: string }).id}/cancel`;
  expect((await ada.post(cancel)).body).toMatchObject({ status: 'cancelled' });
  const waiting = `webhook_deliveries WHERE endpoint_id = '${id}'`;
  expect(await galley.database.count(waiting)).toBe(0);
});
