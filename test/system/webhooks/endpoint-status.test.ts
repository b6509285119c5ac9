import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CreatedWebhook } from '#client';
import { eventually } from '../../support/eventually.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { subscribe } from '../../support/webhooks/subscriptions.js';
import {
  ada,
  endpoint,
  galley,
  receiver,
  useSubscribedWorkspace,
  workspace,
} from '../../support/webhooks/subscribed-workspace.js';
import { itRaces } from '../../support/it-races.js';
import { itTimed } from '../../support/it-timed.js';

interface EndpointState extends CreatedWebhook {
  statusReason: string | null;
  statusSince: string;
}

let operationsReceiver: Receiver;

useSubscribedWorkspace(['template.created']);

beforeEach(async () => {
  operationsReceiver = await Receiver.start();
  await subscribe(ada, workspace.id, operationsReceiver, [
    'webhook.failing',
    'webhook.disabled',
    'webhook.active',
  ]);
});
afterEach(() => operationsReceiver.stop());

const endpointPath = (suffix = '') => `/api/webhooks/${endpoint.id}${suffix}`;
const getEndpoint = async () => (await ada.get<EndpointState>(endpointPath())).body;
const waitForStatus = (status: string) =>
  eventually(`the endpoint to be ${status}`, async () => {
    const current = await getEndpoint();
    return current.status === status && current;
  });

const createTemplates = (count = 1) =>
  Promise.all(
    Array.from({ length: count }, () =>
      ada.post('/api/templates', { name: 'Changed', workspaceId: workspace.id }),
    ),
  );

const listTransitions = async () => {
  const { body } = await ada.get<{ data: { status: string; reason: string }[] }>(
    endpointPath('/transitions'),
  );
  return body.data;
};

/** The status events that the operations endpoint has received, in the order of their sequence. */
const operationalNotifications = () =>
  operationsReceiver.received
    .map(({ body, headers }) => ({
      ...(JSON.parse(body) as { event: string; data: object }),
      sequence: Number(headers['x-service-sequence']),
    }))
    .sort((a, b) => a.sequence - b.sequence);

/** Ends the pause of the circuit breaker, so that the next attempt is made now. */
const makeDueNow = async (failingAge = '0 days') => {
  await galley.database.query(
    `WITH flow AS (
       UPDATE webhook_traffic SET open_until = '-infinity', wake_at = now(),
         failing_since = failing_since - $2::interval
       WHERE endpoint_id = $1 RETURNING endpoint_id
     )
     UPDATE webhook_deliveries SET due_at = now() WHERE endpoint_id = (SELECT endpoint_id FROM flow)`,
    [endpoint.id, failingAge],
  );
  await galley.sweep();
};

describe('an endpoint', () => {
  it('is failing after several failures, and active again after a success; each change has one event', async () => {
    receiver.reaction = () => 503;
    await createTemplates(20);
    const failing = await waitForStatus('failing');
    const [traffic] = await galley.database.query<{ wakesAtOpenUntil: boolean }>(
      `SELECT wake_at = open_until AS "wakesAtOpenUntil" FROM webhook_traffic
       WHERE endpoint_id = $1 AND open_until > now()`,
      [endpoint.id],
    );
    // The next attempt comes when the pause is over, and not earlier.
    expect(traffic?.wakesAtOpenUntil).toBe(true);
    expect(failing.statusReason).toMatch(
      /^\d+ consecutive attempts have failed\. Last error: the response status was 503\.$/,
    );
    receiver.reaction = () => 204;
    await makeDueNow();
    await waitForStatus('active');
    expect(await listTransitions()).toMatchObject([
      { status: 'active', reason: 'An attempt succeeded.' },
      { status: 'failing', reason: failing.statusReason },
    ]);
    await eventually('both events to arrive', () => operationsReceiver.received.length >= 2);
    const { id } = endpoint;
    const data = { id, workspaceId: workspace.id, description: '' };
    expect(operationalNotifications()).toMatchObject([
      { event: 'webhook.failing', sequence: 1, data: { ...data, status: 'failing' } },
      { event: 'webhook.active', sequence: 2, data: { ...data, status: 'active' } },
    ]);
    await eventually('the other deliveries to be delivered', async () => {
      const deliveredLog = `webhook_delivery_log WHERE endpoint_id = '${id}'`;
      return (await galley.database.count(deliveredLog)) === 20;
    });
  });

  it('is disabled after five days of failures, with an event', async () => {
    receiver.reaction = () => 500;
    await createTemplates(5);
    await waitForStatus('failing');
    await makeDueNow('5 days 1 minute');
    const disabled = await waitForStatus('disabled');
    expect(disabled.statusReason).toMatch(
      /^No attempt has succeeded since \d{4}-.*response status was 500/,
    );
    await eventually('the event to arrive', () => operationsReceiver.received.length === 2);
    expect(operationalNotifications()[1]).toMatchObject({
      event: 'webhook.disabled',
      data: { status: 'disabled' },
    });
  });

  it('is not disabled by a failure of long ago and one of today', async () => {
    receiver.reaction = () => 500;
    await createTemplates(5);
    await waitForStatus('failing');
    await galley.database.query(
      `UPDATE webhook_traffic SET failed_at = failed_at - interval '20 days' WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    const attemptsBefore = receiver.received.length;
    await makeDueNow('20 days');
    await eventually('the delivery to be tried again', async () => {
      const failingRecently = `webhook_traffic WHERE endpoint_id = '${endpoint.id}'
        AND failing_since > now() - interval '1 day'`;
      return (
        receiver.received.length > attemptsBefore &&
        (await galley.database.count(failingRecently)) === 1
      );
    });
    expect((await getEndpoint()).status).toBe('failing');
  });

  it('gets no attempts for as long as its Retry-After says', async () => {
    receiver.reaction = () => ({ status: 429, headers: { 'retry-after': '60' } });
    await createTemplates();
    await eventually('the endpoint to be paused', async () => {
      const pausedTraffic = `webhook_traffic WHERE endpoint_id = '${endpoint.id}' AND in_flight = 0
        AND open_until > now() + interval '50 s'`;
      return (await galley.database.count(pausedTraffic)) === 1;
    });
    await createTemplates(3);
    const { body } = await eventually('the deliveries to wait', async () => {
      const response = await ada.get<{ data: { nextAttemptAt: string }[] }>(
        endpointPath('/deliveries'),
      );
      return response.body.data.length === 4 && response;
    });
    for (const { nextAttemptAt } of body.data) {
      expect(Date.parse(nextAttemptAt)).toBeGreaterThan(Date.now() + 50_000);
    }
    expect(receiver.received).toHaveLength(1);
  });

  it('is not disabled by a 410 of its former url', async () => {
    let respond: () => void = () => undefined;
    const responseGate = new Promise<void>((resolve) => (respond = resolve));
    receiver.reaction = async () => {
      await responseGate;
      return 410;
    };
    await createTemplates();
    await eventually('the attempt to arrive', () => receiver.received.length === 1);
    await ada.put(endpointPath(), { url: `${receiver.url}/elsewhere` });
    respond();
    await eventually('the response to be recorded', async () => {
      const { body } = await ada.get<{ data: { attempts: number }[] }>(endpointPath('/deliveries'));
      return body.data[0]?.attempts === 1;
    });
    expect((await getEndpoint()).status).toBe('active');
    expect(await listTransitions()).toEqual([]);
  });

  itRaces('has one event for a 410, although many workers received it', async () => {
    receiver.reaction = () => 410;
    await createTemplates(10);
    const disabled = await waitForStatus('disabled');
    expect(disabled.statusReason).toBe('The receiver responded with 410 Gone.');
    await eventually('all attempts in flight to end', async () => {
      const [traffic] = await galley.database.query<{ in_flight: number }>(
        'SELECT in_flight FROM webhook_traffic WHERE endpoint_id = $1',
        [endpoint.id],
      );
      return traffic?.in_flight === 0;
    });
    expect(await listTransitions()).toHaveLength(1);
  });

  itTimed('has its event relayed at once, and not when the relay next looks', async () => {
    receiver.reaction = () => 410;
    const relayWaits = () =>
      galley.database.query<{ wait: number }>(
        `SELECT extract(epoch FROM relayed_at - occurred_at)::float8 AS wait FROM events
         WHERE kind = 'webhook.disabled' AND resource_id = $1 ORDER BY wait`,
        [endpoint.id],
      );
    for (let round = 1; round <= 5; round++) {
      await createTemplates();
      await eventually(
        'the event to be relayed',
        async () => (await relayWaits()).length === round,
      );
      await ada.post(endpointPath('/enable'), { held: 'discard' });
    }
    // Without a signal, the relay looks for events only once a second.
    expect((await relayWaits())[2]?.wait).toBeLessThan(0.25);
  });

  it('discards held deliveries on request', async () => {
    expect((await ada.post<EndpointState>(endpointPath('/disable'))).body.status).toBe('disabled');
    await createTemplates(3);
    const countByStatus = async (status: string) => {
      const { body } = await ada.get<{ data: object[] }>(
        endpointPath(`/deliveries?status=${status}`),
      );
      return body.data.length;
    };
    await eventually('the deliveries to be held', async () => (await countByStatus('held')) === 3);
    const enabled = await ada.post<EndpointState>(endpointPath('/enable'), { held: 'discard' });
    expect(enabled.body).toMatchObject({ status: 'active' });
    expect([await countByStatus('held'), await countByStatus('cancelled')]).toEqual([0, 3]);
    await createTemplates();
    await eventually('the next one', () => receiver.received.length === 1);
    await eventually(
      'the attempt to be recorded',
      async () => (await countByStatus('delivered')) === 1,
    );
    // An active endpoint has no held deliveries, and deliveries in flight must not be lost by mistake.
    expect((await ada.post(endpointPath('/enable'), { held: 'discard' })).status).toBe(409);
  });

  it('sends held deliveries at a limited rate', async () => {
    await ada.post(endpointPath('/disable'));
    await createTemplates(60);
    await eventually('the deliveries to be held', async () => {
      return (await galley.database.count('webhook_deliveries')) >= 60;
    });
    const startedAt = Date.now();
    await ada.post(endpointPath('/enable'));
    await eventually('all to arrive', () => receiver.received.length === 60);
    // The rate is fifty a second, and a few attempts at once are allowed at the beginning.
    expect(Date.now() - startedAt).toBeGreaterThan(1_000);
  });

  /** Creates deliveries that have failed once and are due again in a day. */
  const failAndPostpone = async (count: number) => {
    receiver.reaction = () => 500;
    await createTemplates(count);
    await eventually('them to fail', async () => {
      const dueDeliveries = `webhook_deliveries WHERE endpoint_id = '${endpoint.id}' AND due_at <= now()`;
      // With these values, the endpoint counts as healthy, so the rate of failing endpoints does not apply.
      await galley.database.query(
        `WITH flow AS (
           UPDATE webhook_traffic SET open_until = '-infinity', opened = 0, failures = 0,
             wake_at = now(), window_size = 100
           WHERE endpoint_id = $1 RETURNING endpoint_id
         )
         UPDATE webhook_deliveries SET due_at = now() + interval '1 day'
         WHERE endpoint_id = (SELECT endpoint_id FROM flow)
           AND attempts > 0 AND claimed_until IS NULL`,
        [endpoint.id],
      );
      await galley.sweep();
      return (await galley.database.count(dueDeliveries)) === 0;
    });
    receiver.received.length = 0;
    receiver.reaction = () => 204;
  };
  const MIN_PACED_MS = 1_000;
  const receiveGone = async () => {
    receiver.reaction = () => 410;
    await createTemplates();
    await eventually('the endpoint to be disabled', async () => {
      // The earlier failures may have opened the circuit breaker again.
      await galley.database.query(
        `UPDATE webhook_traffic SET open_until = '-infinity', wake_at = now() WHERE endpoint_id = $1`,
        [endpoint.id],
      );
      await galley.sweep();
      return (await getEndpoint()).status === 'disabled';
    });
    receiver.received.length = 0;
    receiver.reaction = () => 204;
  };

  it.each([
    ['POST …/enable', () => ada.post(endpointPath('/enable'))],
    ['PUT', () => ada.put(endpointPath(), { status: 'active' })],
  ])(
    'sends deliveries that were tried before the 410 after %s, at the same rate',
    async (_, enable) => {
      await failAndPostpone(60);
      await receiveGone();
      const startedAt = Date.now();
      expect((await enable()).status).toBe(200);
      await eventually('all to arrive', () => receiver.received.length === 61);
      expect(Date.now() - startedAt).toBeGreaterThan(MIN_PACED_MS);
    },
  );

  it.each([
    ['POST …/enable', () => ada.post(endpointPath('/enable'))],
    ['PUT', () => ada.put(endpointPath(), { status: 'active' })],
  ])('is not enabled by %s if that fails before all held deliveries are due', async (_, enable) => {
    await failAndPostpone(2);
    await receiveGone();
    // The trigger stops the request where the API or PostgreSQL might crash.
    await galley.database.query(
      `CREATE FUNCTION crash() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''crash''; END';
       CREATE TRIGGER crash BEFORE UPDATE ON webhook_deliveries EXECUTE FUNCTION crash()`,
    );
    expect((await enable()).status).toBe(500);
    expect((await getEndpoint()).status).toBe('disabled');
    await galley.database.query('DROP FUNCTION crash CASCADE');
    expect((await enable()).status).toBe(200);
    await eventually('all to arrive', () => receiver.received.length === 3);
  });

  it('does not drain if there is nothing to retry', async () => {
    expect((await ada.post(endpointPath('/deliveries/retry'))).body).toEqual({ retried: 0 });
    const [traffic] = await galley.database.query(
      'SELECT is_draining FROM webhook_traffic WHERE endpoint_id = $1',
      [endpoint.id],
    );
    expect(traffic).toEqual({ is_draining: false });
  });

  it('retries all pending deliveries on request, at the same rate', async () => {
    await failAndPostpone(60);
    const retryAll = () => ada.post(endpointPath('/deliveries/retry'));
    const startedAt = Date.now();
    const response = await retryAll();
    expect([response.status, response.body]).toEqual([202, { retried: 60 }]);
    await eventually('all to arrive', () => receiver.received.length === 60);
    expect(Date.now() - startedAt).toBeGreaterThan(MIN_PACED_MS);
    expect((await retryAll()).body).toEqual({ retried: 0 });
    await ada.post(endpointPath('/disable'));
    expect((await retryAll()).status).toBe(409);
  });

  it('drains a long backlog in chunks, each resource in order', async () => {
    await ada.put(endpointPath(), { ordered: true });
    await ada.post(endpointPath('/disable'));
    // For each of 6,000 resources, a first delivery that was tried, and a second delivery that waits for
    // the first.
    await galley.database.query(
      `INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
         event_relayed_at, event_id, kind, resource_id, sequence, attempts, due_at, is_ordered)
       SELECT $1, uuidv7_at(now()), $2, number, now(), gen_random_uuid(), 'template.created',
         ('00000000-0000-4000-8000-' || lpad((number % 6000)::text, 12, '0'))::uuid, number / 6000 + 1,
         1, CASE WHEN number < 6000 THEN now() + interval '1 day' ELSE 'infinity' END, true
       FROM generate_series(0, 11999) number`,
      [endpoint.id, workspace.id],
    );
    await ada.post(endpointPath('/enable'));
    const countDue = (dueCondition: string) =>
      galley.database.count(
        `webhook_deliveries WHERE endpoint_id = '${endpoint.id}' AND due_at ${dueCondition}`,
      );
    expect(await countDue(`> now() AND due_at < 'infinity'`)).toBe(0);
    expect(await countDue(`= 'infinity'`)).toBeGreaterThan(5_500);
    expect((await ada.post(endpointPath('/deliveries/cancel'))).status).toBe(200);
  });

  itTimed('gets no more attempts in a second than its rate limit', async () => {
    expect((await ada.put(endpointPath(), { rateLimit: 10 })).body).toMatchObject({
      rateLimit: 10,
    });
    await createTemplates(25);
    await eventually('all to arrive', () => receiver.received.length === 25);
    const times = receiver.received.map(({ receivedAt }) => receivedAt);
    const countsPerSecond = times.map(
      (time) => times.filter((otherTime) => otherTime >= time && otherTime < time + 1_000).length,
    );
    // Attempts may be 0.1 s early, and on a busy machine some attempts begin together.
    expect(Math.max(...countsPerSecond)).toBeLessThanOrEqual(18);
  });
});
