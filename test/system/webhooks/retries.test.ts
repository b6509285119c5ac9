import { describe, expect, it } from '@jest/globals';
import type { CreatedWebhook } from '#client';
import { eventually } from '../../support/eventually.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { subscribe, verify } from '../../support/webhooks/subscriptions.js';
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

interface Delivery {
  id: string;
  status: string;
  attempts: number;
  claims: number;
  waits: number | null;
}

useSubscribedWorkspace();

const createTemplate = () =>
  ada.post('/api/templates', { name: 'Changed', workspaceId: workspace.id });

const listDeliveries = () =>
  galley.database.query<Delivery>(
    `SELECT delivery.id, CASE endpoint.status WHEN 'disabled' THEN 'held' ELSE 'pending' END AS status,
       attempts, claims, extract(epoch FROM due_at - now())::float AS waits
     FROM webhook_deliveries delivery JOIN webhook_endpoints endpoint ON endpoint.id = endpoint_id
     WHERE endpoint_id = $1
     UNION ALL
     SELECT id, status, attempts, NULL, NULL FROM webhook_delivery_log WHERE endpoint_id = $1
     ORDER BY id`,
    [endpoint.id],
  );

const waitForAttempts = (attempts: number) =>
  eventually(`attempt ${attempts} to be recorded`, async () => {
    const [delivery] = await listDeliveries();
    return delivery?.attempts === attempts && delivery;
  });

/** Makes pending deliveries due now, instead of waiting for hours. */
const makeDueNow = async () => {
  await galley.database.query(
    `WITH flow AS (
       UPDATE webhook_traffic SET wake_at = now(), open_until = '-infinity' WHERE endpoint_id = $1
       RETURNING endpoint_id
     )
     UPDATE webhook_deliveries SET due_at = now() WHERE endpoint_id = (SELECT endpoint_id FROM flow)`,
    [endpoint.id],
  );
  await galley.sweep();
};

const attemptClaims = async () => {
  const [{ id } = { id: '' }] = await listDeliveries();
  const rows = await galley.database.query<{ claim: number }>(
    'SELECT claim FROM webhook_attempts WHERE delivery_id = $1 ORDER BY claim',
    [id],
  );
  return rows.map(({ claim }) => claim);
};

const readTraffic = async () => {
  const [row] = await galley.database.query<{ in_flight: number; queued: boolean }>(
    'SELECT in_flight, queued FROM webhook_traffic WHERE endpoint_id = $1',
    [endpoint.id],
  );
  return row;
};

const listAttempts = () =>
  galley.database.query<{ status_code: number | null; error: string | null }>(
    `SELECT status_code, error FROM webhook_attempts WHERE delivery_id IN (
       SELECT id FROM webhook_deliveries WHERE endpoint_id = $1
       UNION ALL SELECT id FROM webhook_delivery_log WHERE endpoint_id = $1
     ) ORDER BY started_at`,
    [endpoint.id],
  );

describe('a failed attempt', () => {
  itTimed('is retried some five seconds later, with the same id and a new signature', async () => {
    receiver.reaction = (_notification, count) => (count === 1 ? 500 : 204);
    await createTemplate();
    await eventually('the second attempt', () => receiver.received.length === 2);
    const [first, second] = receiver.received;
    if (first === undefined || second === undefined) throw new Error('unreachable');
    const gap = second.receivedAt - first.receivedAt;
    expect(gap).toBeGreaterThan(4_000);
    // 5 s, with 20 % jitter, and at most a second until the sweep. A busy machine takes longer.
    expect(gap).toBeLessThan(15_000);
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(second.headers['webhook-signature']).not.toBe(first.headers['webhook-signature']);
    expect(second.body).toBe(first.body);
    verify(endpoint.secret, second);
    await eventually(
      'the success',
      async () => (await listDeliveries())[0]?.status === 'delivered',
    );
    expect(await listAttempts()).toEqual([
      { status_code: 500, error: 'the response status was 500' },
      { status_code: 204, error: null },
    ]);
  });

  itTimed('is retried on the schedule, and fails for good after ten attempts', async () => {
    receiver.reaction = () => 503;
    await createTemplate();
    const expectedDelays = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for (const [index, delay] of expectedDelays.entries()) {
      const { waits } = await waitForAttempts(index + 1);
      expect(waits).toBeGreaterThan(delay * 0.8 - 2);
      expect(waits).toBeLessThan(delay * 1.2 + 1);
      await makeDueNow();
    }
    const last = await waitForAttempts(10);
    expect(last).toMatchObject({ status: 'failed', waits: null });
    expect(receiver.received).toHaveLength(10);
  });

  itTimed("is retried after the receiver's Retry-After", async () => {
    receiver.reaction = () => ({ status: 429, headers: { 'retry-after': '3600' } });
    await createTemplate();
    const { waits } = await waitForAttempts(1);
    expect(waits).toBeGreaterThan(3_590);
    expect(waits).toBeLessThan(1.2 * 3_601);
  });

  it('includes a redirect, which is not followed', async () => {
    const target = await Receiver.start();
    receiver.reaction = () => ({ status: 302, headers: { location: target.url } });
    await createTemplate();
    expect(await waitForAttempts(1)).toMatchObject({ status: 'pending' });
    expect(await listAttempts()).toEqual([
      { status_code: 302, error: 'the response status was 302' },
    ]);
    expect(target.received).toEqual([]);
    await target.stop();
  });

  it('includes an unreachable receiver, with a reason', async () => {
    await receiver.stop();
    await createTemplate();
    await waitForAttempts(1);
    const [attempt] = await listAttempts();
    expect(attempt?.status_code).toBeNull();
    expect(attempt?.error).toContain('ECONNREFUSED');
  });
});

describe('retries of deliveries that failed together', () => {
  itTimed('are spread over time, and not sent in the steps of the sweep', async () => {
    const endpointCount = 300;
    const { id } = await galley.createWorkspaceFor('ada');
    for (let created = 0; created < endpointCount; created += 20) {
      await Promise.all(Array.from({ length: 20 }, () => subscribe(ada, id, receiver)));
    }
    // This window makes the endpoints healthy, so the worker does not limit the rate of their attempts.
    await galley.database.query(
      `UPDATE webhook_traffic SET window_size = 10 WHERE endpoint_id IN (
         SELECT id FROM webhook_endpoints WHERE workspace_id = $1)`,
      [id],
    );
    receiver.reaction = (_notification, count) => (count <= endpointCount ? 500 : 204);
    await ada.post('/api/templates', { name: 'Changed', workspaceId: id });
    await eventually('all to be tried again', () => receiver.received.length === 2 * endpointCount);
    const retryTimes = receiver.received.slice(endpointCount).map(({ receivedAt }) => receivedAt);
    const firstRetryAt = Math.min(...retryTimes);
    const countsPerTenth = Array.from({ length: 40 }, (_, index) => {
      const sliceStart = firstRetryAt + index * 100;
      return retryTimes.filter((time) => time >= sliceStart && time < sliceStart + 100).length;
    });
    // If the retries were spread evenly, a twentieth of them would fall into each tenth of a second. But
    // this process is both receiver and worker, and stalls at times. A schedule in whole seconds would put
    // half of the retries into one tenth.
    expect(Math.max(...countsPerTenth)).toBeLessThan(endpointCount * 0.25);
  });
});

describe('410 Gone', () => {
  it('disables the endpoint at once; later events are held and sent when it is enabled', async () => {
    receiver.reaction = () => 410;
    await createTemplate();
    const path = `/api/webhooks/${endpoint.id}`;
    await eventually('the endpoint to be disabled', async () => {
      return (await ada.get<CreatedWebhook>(path)).body.status === 'disabled';
    });
    await createTemplate();
    await eventually(
      'the second event to be held',
      async () => (await listDeliveries()).length === 2,
    );
    expect((await listDeliveries()).map(({ status }) => status)).toEqual(['held', 'held']);
    expect(receiver.received).toHaveLength(1);

    receiver.reaction = () => 204;
    expect((await ada.put(path, { status: 'active' })).status).toBe(200);
    await eventually('both to be delivered', async () =>
      (await listDeliveries()).every(({ status }) => status === 'delivered'),
    );
  });
});

describe('an endpoint that is disabled and enabled during events', () => {
  it('gets all of them in the end', async () => {
    const path = `/api/webhooks/${endpoint.id}`;
    let isCreating = true;
    const toggleEndpoint = async () => {
      while (isCreating) {
        await ada.put(path, { status: 'disabled' });
        await ada.put(path, { status: 'active' });
      }
    };
    const togglingDone = toggleEndpoint();
    const created: number[] = [];
    for (let round = 0; round < 20; round++) {
      const responses = await Promise.all(Array.from({ length: 20 }, createTemplate));
      created.push(...responses.map(({ status }) => status));
    }
    isCreating = false;
    await togglingDone;
    expect(created).toEqual(Array(400).fill(201));
    // This test is not about the rate at which held deliveries are sent.
    await galley.database.query(
      `UPDATE webhook_traffic SET is_draining = false, paced_until = now(), wake_at = now()
       WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    await galley.sweep();
    await eventually('all to be delivered', async () => {
      const statuses = (await listDeliveries()).map(({ status }) => status);
      return statuses.length === 400 && statuses.every((status) => status === 'delivered');
    }).catch(async (error: unknown) => {
      const traffic = await galley.database.query(
        'SELECT now(), * FROM webhook_traffic WHERE endpoint_id = $1',
        [endpoint.id],
      );
      const left = (await listDeliveries()).filter(({ status }) => status !== 'delivered');
      throw new Error(`${String(error)} ${JSON.stringify({ traffic, left })}`, { cause: error });
    });
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(400);
  });
});

describe('the sweep', () => {
  it('queues endpoints again after the queue was emptied or a job was lost', async () => {
    receiver.reaction = () => 500;
    await createTemplate();
    const { attempts: before } = await waitForAttempts(1);
    // The state after the job of a due retry was lost: the endpoint counts as queued, but no job names it.
    await galley.database.query(
      `WITH delivery AS (UPDATE webhook_deliveries SET due_at = now() WHERE endpoint_id = $1)
       UPDATE webhook_traffic SET queued = true, wake_at = now() WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    await waitForAttempts(before + 1);
  });

  itRaces(
    'claims a delivery again after its worker has died, without concurrent attempts',
    async () => {
      receiver.reaction = () => 500;
      await createTemplate();
      const { id, claims } = await waitForAttempts(1);
      // The state that a worker leaves if it is killed during the second attempt; the lease has just ended.
      await galley.database.query(
        `WITH flow AS (
         UPDATE webhook_traffic SET in_flight = 1, claimed_until = now(), wake_at = now()
         WHERE endpoint_id = $2
       )
       UPDATE webhook_deliveries SET claims = claims + 1, due_at = now(), claimed_until = now()
       WHERE id = $1`,
        [id, endpoint.id],
      );
      receiver.reaction = () => 204;
      await eventually(
        'the delivery',
        async () => (await listDeliveries())[0]?.status === 'delivered',
      );
      expect(claims).toBe(1);
      expect(await attemptClaims()).toEqual([1, 3]);
      expect(receiver.received).toHaveLength(2);
      expect(await readTraffic()).toMatchObject({ in_flight: 0, queued: false });
    },
  );
});
