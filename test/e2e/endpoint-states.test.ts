import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CreatedWebhook, Workspace } from '#client';
import type { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { startGalley, type Galley } from '../support/galley.js';
import { Sink } from '../support/sink.js';
import { subscribe } from '../support/webhooks.js';

interface State extends CreatedWebhook {
  statusReason: string | null;
  statusSince: string;
}

let galley: Galley;
let ada: Client;
let workspace: Workspace;
let sink: Sink;
let operations: Sink;
let endpoint: CreatedWebhook;

beforeAll(async () => {
  galley = await startGalley({ worker: true });
  ada = await galley.as('ada');
});
afterAll(() => galley.stop());

beforeEach(async () => {
  workspace = await galley.workspaceOf('ada');
  sink = await Sink.start();
  operations = await Sink.start();
  endpoint = await subscribe(ada, workspace.id, sink, ['template.created']);
  await subscribe(ada, workspace.id, operations, [
    ...(['webhook.failing', 'webhook.disabled', 'webhook.active'] as const),
  ]);
});
afterEach(async () => {
  await sink.stop();
  await operations.stop();
});

const path = (suffix = '') => `/api/webhooks/${endpoint.id}${suffix}`;
const state = async () => (await ada.get<State>(path())).body;
const becomes = (status: string) =>
  eventually(`the endpoint to be ${status}`, async () => {
    const now = await state();
    return now.status === status && now;
  });

const change = (count = 1) =>
  Promise.all(
    Array.from({ length: count }, () =>
      ada.post('/api/templates', { name: 'Changed', workspaceId: workspace.id }),
    ),
  );

const transitions = async () => {
  const { body } = await ada.get<{ data: { status: string; reason: string }[] }>(
    path('/transitions'),
  );
  return body.data;
};

/** What the operational address was told, in the order of its sequence. */
const told = () =>
  operations.received
    .map(({ body, headers }) => ({
      ...(JSON.parse(body) as { event: string; data: object }),
      sequence: Number(headers['x-service-sequence']),
    }))
    .sort((one, other) => one.sequence - other.sequence);

/** Lets the circuit breaker try again now. */
const timePasses = async (age = '0 days') => {
  await galley.database.query(
    `WITH flow AS (
       UPDATE webhook_flows SET open_until = '-infinity', wake_at = now(),
         failing_since = failing_since - $2::interval
       WHERE endpoint_id = $1 RETURNING endpoint_id
     )
     UPDATE webhook_deliveries SET due_at = now() WHERE endpoint_id = (SELECT endpoint_id FROM flow)`,
    [endpoint.id, age],
  );
  await galley.sweep();
};

describe('an endpoint', () => {
  it('is failing after several failures, and active again after a success; each is told once', async () => {
    sink.reaction = () => 503;
    await change(20);
    const failing = await becomes('failing');
    const [flow] = await galley.database.query<{ isRight: boolean }>(
      `SELECT wake_at = open_until AS "isRight" FROM webhook_flows
       WHERE endpoint_id = $1 AND open_until > now()`,
      [endpoint.id],
    );
    // It is looked at when its pause is over, and no later.
    expect(flow?.isRight).toBe(true);
    expect(failing.statusReason).toMatch(
      /^\d+ attempts in a row have failed\. The last one: the answer was 503\.$/,
    );
    sink.reaction = () => 204;
    await timePasses();
    await becomes('active');
    expect(await transitions()).toMatchObject([
      { status: 'active', reason: 'An attempt succeeded.' },
      { status: 'failing', reason: failing.statusReason },
    ]);
    await eventually('both to be told', () => operations.received.length >= 2);
    const { id } = endpoint;
    const data = { id, workspaceId: workspace.id, description: '' };
    expect(told()).toMatchObject([
      { event: 'webhook.failing', sequence: 1, data: { ...data, status: 'failing' } },
      { event: 'webhook.active', sequence: 2, data: { ...data, status: 'active' } },
    ]);
    await eventually('the rest to be delivered', async () => {
      const delivered = `webhook_delivery_log WHERE endpoint_id = '${id}'`;
      return (await galley.database.count(delivered)) === 20;
    });
  });

  it('is disabled after five days of nothing but failures, and told so', async () => {
    sink.reaction = () => 500;
    await change(5);
    await becomes('failing');
    await timePasses('5 days 1 minute');
    const disabled = await becomes('disabled');
    expect(disabled.statusReason).toMatch(/^No attempt has succeeded since \d{4}-.*answer was 500/);
    await eventually('it to be told', () => operations.received.length === 2);
    expect(told()[1]).toMatchObject({ event: 'webhook.disabled', data: { status: 'disabled' } });
  });

  it('is not given up for a failure of long ago and one of today', async () => {
    sink.reaction = () => 500;
    await change(5);
    await becomes('failing');
    await galley.database.query(
      `UPDATE webhook_flows SET failed_at = failed_at - interval '20 days' WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    const tried = sink.received.length;
    await timePasses('20 days');
    await eventually('it to be tried again', async () => {
      const since = `webhook_flows WHERE endpoint_id = '${endpoint.id}'
        AND failing_since > now() - interval '1 day'`;
      return sink.received.length > tried && (await galley.database.count(since)) === 1;
    });
    expect((await state()).status).toBe('failing');
  });

  it('is left in peace for as long as it asks with Retry-After', async () => {
    sink.reaction = () => ({ status: 429, headers: { 'retry-after': '60' } });
    await change();
    await eventually('it to be paused', async () => {
      const paused = `webhook_flows WHERE endpoint_id = '${endpoint.id}' AND in_flight = 0
        AND open_until > now() + interval '50 s'`;
      return (await galley.database.count(paused)) === 1;
    });
    await change(3);
    const { body } = await eventually('them to wait', async () => {
      const answer = await ada.get<{ data: { nextAttemptAt: string }[] }>(path('/deliveries'));
      return answer.body.data.length === 4 && answer;
    });
    for (const { nextAttemptAt } of body.data) {
      expect(Date.parse(nextAttemptAt)).toBeGreaterThan(Date.now() + 50_000);
    }
    expect(sink.received).toHaveLength(1);
  });

  it('is not gone for what its former url has said', async () => {
    let answer: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    sink.reaction = async () => {
      await asked;
      return 410;
    };
    await change();
    await eventually('it to be asked', () => sink.received.length === 1);
    await ada.put(path(), { url: `${sink.url}/elsewhere` });
    answer();
    await eventually('the answer to be recorded', async () => {
      const { body } = await ada.get<{ data: { attempts: number }[] }>(path('/deliveries'));
      return body.data[0]?.attempts === 1;
    });
    expect((await state()).status).toBe('active');
    expect(await transitions()).toEqual([]);
  });

  it('says that it is gone once, though many workers heard it', async () => {
    sink.reaction = () => 410;
    await change(10);
    const gone = await becomes('disabled');
    expect(gone.statusReason).toBe('The receiver answered 410 Gone.');
    await eventually('all that was under way to end', async () => {
      const [flow] = await galley.database.query<{ in_flight: number }>(
        'SELECT in_flight FROM webhook_flows WHERE endpoint_id = $1',
        [endpoint.id],
      );
      return flow?.in_flight === 0;
    });
    expect(await transitions()).toHaveLength(1);
  });

  it('tells of it at once, and not when the relay happens to look again', async () => {
    sink.reaction = () => 410;
    const waits = () =>
      galley.database.query<{ wait: number }>(
        `SELECT extract(epoch FROM relayed_at - occurred_at)::float8 AS wait FROM events
         WHERE kind = 'webhook.disabled' AND resource_id = $1 ORDER BY wait`,
        [endpoint.id],
      );
    for (let times = 1; times <= 5; times++) {
      await change();
      await eventually('it to be relayed', async () => (await waits()).length === times);
      await ada.post(path('/enable'), { held: 'discard' });
    }
    // It looks once a second by itself.
    expect((await waits())[2]?.wait).toBeLessThan(0.25);
  });

  it('discards what was held when it is asked to', async () => {
    expect((await ada.post<State>(path('/disable'))).body.status).toBe('disabled');
    await change(3);
    const held = async (status: string) => {
      const { body } = await ada.get<{ data: object[] }>(path(`/deliveries?status=${status}`));
      return body.data.length;
    };
    await eventually('them to be held', async () => (await held('held')) === 3);
    const enabled = await ada.post<State>(path('/enable'), { held: 'discard' });
    expect(enabled.body).toMatchObject({ status: 'active' });
    expect([await held('held'), await held('cancelled')]).toEqual([0, 3]);
    await change();
    await eventually('the next one', () => sink.received.length === 1);
    await eventually('it to be recorded', async () => (await held('delivered')) === 1);
    // Of an active one nothing is held, and what is on its way is not to be lost by mistake.
    expect((await ada.post(path('/enable'), { held: 'discard' })).status).toBe(409);
  });

  it('sends what was held at a limited rate', async () => {
    await ada.post(path('/disable'));
    await change(60);
    await eventually('them to be held', async () => {
      return (await galley.database.count('webhook_deliveries')) >= 60;
    });
    const begun = Date.now();
    await ada.post(path('/enable'));
    await eventually('all to arrive', () => sink.received.length === 60);
    // Fifty a second, and a few at once at the beginning.
    expect(Date.now() - begun).toBeGreaterThan(1_000);
  });

  /** Makes so many deliveries that have failed once and are to be tried again in a day. */
  const postpone = async (count: number) => {
    sink.reaction = () => 500;
    await change(count);
    await eventually('them to fail', async () => {
      const waiting = `webhook_deliveries WHERE endpoint_id = '${endpoint.id}' AND due_at <= now()`;
      // The worker takes the endpoint for a healthy one, so no rate for failing endpoints applies.
      await galley.database.query(
        `WITH flow AS (
           UPDATE webhook_flows SET open_until = '-infinity', opened = 0, failures = 0,
             wake_at = now(), window_size = 100
           WHERE endpoint_id = $1 RETURNING endpoint_id
         )
         UPDATE webhook_deliveries SET due_at = now() + interval '1 day'
         WHERE endpoint_id = (SELECT endpoint_id FROM flow)
           AND attempts > 0 AND claimed_until IS NULL`,
        [endpoint.id],
      );
      await galley.sweep();
      return (await galley.database.count(waiting)) === 0;
    });
    sink.received.length = 0;
    sink.reaction = () => 204;
  };
  const PACED_MS = 1_000;
  const gone = async () => {
    sink.reaction = () => 410;
    await change();
    await eventually('it to be gone', async () => {
      // The failures before may have opened the circuit breaker again meanwhile.
      await galley.database.query(
        `UPDATE webhook_flows SET open_until = '-infinity', wake_at = now() WHERE endpoint_id = $1`,
        [endpoint.id],
      );
      await galley.sweep();
      return (await state()).status === 'disabled';
    });
    sink.received.length = 0;
    sink.reaction = () => 204;
  };

  it.each([
    ['POST …/enable', () => ada.post(path('/enable'))],
    ['PUT', () => ada.put(path(), { status: 'active' })],
  ])(
    'sends what had been tried before it was gone after %s, at the same rate',
    async (_, enable) => {
      await postpone(60);
      await gone();
      const begun = Date.now();
      expect((await enable()).status).toBe(200);
      await eventually('all to arrive', () => sink.received.length === 61);
      expect(Date.now() - begun).toBeGreaterThan(PACED_MS);
    },
  );

  it.each([
    ['POST …/enable', () => ada.post(path('/enable'))],
    ['PUT', () => ada.put(path(), { status: 'active' })],
  ])('is not enabled by %s if that fails before all that was held is due', async (_, enable) => {
    await postpone(2);
    await gone();
    // As if the API or PostgreSQL ended here.
    await galley.database.query(
      `CREATE FUNCTION crash() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''crash''; END';
       CREATE TRIGGER crash BEFORE UPDATE ON webhook_deliveries EXECUTE FUNCTION crash()`,
    );
    expect((await enable()).status).toBe(500);
    expect((await state()).status).toBe('disabled');
    await galley.database.query('DROP FUNCTION crash CASCADE');
    expect((await enable()).status).toBe(200);
    await eventually('all to arrive', () => sink.received.length === 3);
  });

  it('does not drain if there is nothing to retry', async () => {
    expect((await ada.post(path('/deliveries/retry'))).body).toEqual({ retried: 0 });
    const [flow] = await galley.database.query(
      'SELECT is_draining FROM webhook_flows WHERE endpoint_id = $1',
      [endpoint.id],
    );
    expect(flow).toEqual({ is_draining: false });
  });

  it('is sent all that is pending when it is asked for, at the same rate', async () => {
    await postpone(60);
    const retryAll = () => ada.post(path('/deliveries/retry'));
    const begun = Date.now();
    const answer = await retryAll();
    expect([answer.status, answer.body]).toEqual([202, { retried: 60 }]);
    await eventually('all to arrive', () => sink.received.length === 60);
    expect(Date.now() - begun).toBeGreaterThan(PACED_MS);
    expect((await retryAll()).body).toEqual({ retried: 0 });
    await ada.post(path('/disable'));
    expect((await retryAll()).status).toBe(409);
  });

  it('is sent a long backlog in parts, that of each resource in order', async () => {
    await ada.put(path(), { ordered: true });
    await ada.post(path('/disable'));
    // Of each of two resources a head that was tried, and another one that waits for it.
    await galley.database.query(
      `INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
         event_relayed_at, event_id, kind, resource_id, sequence, attempts, due_at, is_ordered)
       SELECT $1, uuidv7_at(now()), $2, number, now(), gen_random_uuid(), 'template.created',
         ('00000000-0000-4000-8000-' || lpad((number % 6000)::text, 12, '0'))::uuid, number / 6000 + 1,
         1, CASE WHEN number < 6000 THEN now() + interval '1 day' ELSE 'infinity' END, true
       FROM generate_series(0, 11999) number`,
      [endpoint.id, workspace.id],
    );
    await ada.post(path('/enable'));
    const waits = (due: string) =>
      galley.database.count(
        `webhook_deliveries WHERE endpoint_id = '${endpoint.id}' AND due_at ${due}`,
      );
    expect(await waits(`> now() AND due_at < 'infinity'`)).toBe(0);
    expect(await waits(`= 'infinity'`)).toBeGreaterThan(5_500);
    expect((await ada.post(path('/deliveries/cancel'))).status).toBe(200);
  });

  it('gets no more in a second than it wants', async () => {
    expect((await ada.put(path(), { rateLimit: 10 })).body).toMatchObject({ rateLimit: 10 });
    await change(25);
    await eventually('all to arrive', () => sink.received.length === 25);
    const times = sink.received.map(({ receivedAt }) => receivedAt);
    const inAnySecond = times.map((at) => times.filter((t) => t >= at && t < at + 1_000).length);
    // A tenth of a second's share may come early, and some together when the machine is busy.
    expect(Math.max(...inAnySecond)).toBeLessThanOrEqual(18);
  });
});
