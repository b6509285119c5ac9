import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Workspace } from '#client';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadWorkerConfig } from '#config';
import { createWorker } from '../../../apps/worker/worker.js';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { subscribe } from '../../support/webhooks/subscriptions.js';
import { addEvents } from '../../support/webhooks/outbox-events.js';
import { itTimed } from '../../support/it-timed.js';

let galley: Galley;
let ada: Client;
let secondWorker: NestFastifyApplication;

beforeAll(async () => {
  galley = await startGalley({ worker: true });
  secondWorker = await createWorker(loadWorkerConfig(galley.environment));
  await secondWorker.init();
  ada = await galley.clientFor('ada');
});
afterAll(async () => {
  await secondWorker.close();
  await galley.stop();
});

let workspace: Workspace;
let receiver: Receiver;

beforeEach(async () => {
  workspace = await galley.createWorkspaceFor('ada');
  receiver = await Receiver.start();
});
afterEach(() => receiver.stop());

const trafficOf = async (endpoint: { id: string }) => {
  const [traffic] = await galley.database.query<{
    in_flight: number;
    window_size: number;
    failures: number;
    is_open: boolean;
  }>(
    `SELECT in_flight, window_size, failures, open_until > now() AS is_open
     FROM webhook_traffic WHERE endpoint_id = $1`,
    [endpoint.id],
  );
  if (traffic === undefined) throw new Error('The endpoint has no flow.');
  return traffic;
};

describe('attempts in flight to one endpoint', () => {
  it('are limited across all workers; with successes the limit grows up to 100', async () => {
    let inFlight = 0;
    let maxInFlight = 0;
    let respond: () => void = () => undefined;
    let responseGate = new Promise<void>((resolve) => (respond = resolve));
    receiver.reaction = async () => {
      maxInFlight = Math.max(maxInFlight, ++inFlight);
      await responseGate;
      inFlight--;
      return 204;
    };
    const endpoint = await subscribe(ada, workspace.id, receiver);
    await addEvents(galley.database, 600, workspace);
    await eventually('the first one', () => inFlight === 1);
    const traffic = await trafficOf(endpoint);
    expect(traffic).toMatchObject({ in_flight: 1, window_size: 1 });
    respond();
    responseGate = Promise.resolve();
    await eventually(
      'all attempts to be recorded',
      async () => (await trafficOf(endpoint)).in_flight === 0 && receiver.received.length === 600,
    );
    expect(maxInFlight).toBeLessThanOrEqual(100);
    expect((await trafficOf(endpoint)).window_size).toBe(100);
  });

  itTimed('do not delay attempts to other endpoints', async () => {
    const hanging = await Promise.all(Array.from({ length: 20 }, () => Receiver.start()));
    for (const hangingReceiver of hanging) {
      hangingReceiver.reaction = () => new Promise(() => undefined);
      const otherWorkspace = await galley.createWorkspaceFor('ada');
      await subscribe(ada, otherWorkspace.id, hangingReceiver);
      await addEvents(galley.database, 200, otherWorkspace);
    }
    await eventually('all to hang', () => hanging.every(({ received }) => received.length === 1));
    await subscribe(ada, workspace.id, receiver);
    const startedAt = Date.now();
    await addEvents(galley.database, 500, workspace);
    await eventually('the other notifications', () => receiver.received.length === 500);
    // The hanging attempts time out after 15 s, and the other notifications must not wait for them.
    expect(Date.now() - startedAt).toBeLessThan(14_000);
    await Promise.all(hanging.map((hangingReceiver) => hangingReceiver.stop()));
  });
});

describe('a long backlog of one endpoint', () => {
  itTimed('does not delay the event of another, in its own or another workspace', async () => {
    const count = 3_000;
    await subscribe(ada, workspace.id, receiver, ['template.created']);
    const otherReceiver = await Receiver.start();
    const otherWorkspace = await galley.createWorkspaceFor('ada');
    await subscribe(ada, workspace.id, otherReceiver, ['module.created']);
    await subscribe(ada, otherWorkspace.id, otherReceiver);
    await addEvents(galley.database, count, workspace);
    const createModule = (workspaceId: string) =>
      ada.post('/api/modules', { name: 'Footer', workspaceId, content: {} });
    await createModule(otherWorkspace.id);
    await createModule(workspace.id);
    await eventually('the other notifications', () => otherReceiver.received.length === 2);
    expect(receiver.received.length).toBeLessThan(count);
    await otherReceiver.stop();
  });
});

describe('the circuit breaker', () => {
  it('opens after consecutive failures, probes one at a time, and closes after a success', async () => {
    receiver.reaction = () => 500;
    const endpoint = await subscribe(ada, workspace.id, receiver);
    await addEvents(galley.database, 100, workspace);
    await eventually('it to open', async () => (await trafficOf(endpoint)).is_open);
    await eventually(
      'the attempts in flight to end',
      async () => (await trafficOf(endpoint)).in_flight === 0,
    );
    const before = receiver.received.length;
    expect(before).toBeLessThanOrEqual(20);

    const endBreakerPause = async () => {
      await galley.database.query(
        `WITH flow AS (
           UPDATE webhook_traffic SET open_until = '-infinity', wake_at = now()
           WHERE endpoint_id = $1 RETURNING endpoint_id
         )
         UPDATE webhook_deliveries SET due_at = now()
         WHERE endpoint_id = (SELECT endpoint_id FROM flow)`,
        [endpoint.id],
      );
      await galley.sweep();
    };
    await endBreakerPause();
    await eventually('a probe', () => receiver.received.length > before);
    await eventually('the breaker to open again', async () => (await trafficOf(endpoint)).is_open);
    expect(receiver.received.length).toBe(before + 1);

    receiver.reaction = () => 204;
    await endBreakerPause();
    await eventually('all to be delivered', async () => {
      const deliveredLog = `webhook_delivery_log WHERE endpoint_id = '${endpoint.id}'`;
      return (await galley.database.count(deliveredLog)) === 100;
    });
    expect(await trafficOf(endpoint)).toMatchObject({ failures: 0, in_flight: 0, is_open: false });
  });
});

describe('an event for many endpoints', () => {
  it('is fanned out in chunks, and delays no other event', async () => {
    const count = 2_000;
    await galley.database.query(
      `WITH endpoint AS (
         INSERT INTO webhook_endpoints
           (id, workspace_id, url, events, description, encrypted_secret, status)
         SELECT gen_random_uuid(), $1, '', '{template.created}', '', '', 'disabled'
         FROM generate_series(1, $2::integer) RETURNING id
       )
       INSERT INTO webhook_traffic (endpoint_id) SELECT id FROM endpoint`,
      [workspace.id, count],
    );
    const otherWorkspace = await galley.createWorkspaceFor('ada');
    await subscribe(ada, otherWorkspace.id, receiver);
    await addEvents(galley.database, 2, workspace);
    await addEvents(galley.database, 1, otherWorkspace);
    await eventually('the other event', () => receiver.received.length === 1);
    const createdDeliveries = `(SELECT DISTINCT endpoint_id, event_id FROM webhook_deliveries
      WHERE workspace_id = '${workspace.id}') delivery`;
    await eventually(
      'all deliveries to be created',
      async () => (await galley.database.count(createdDeliveries)) === 2 * count,
    );
    const allDeliveries = `webhook_deliveries WHERE workspace_id = '${workspace.id}'`;
    expect(await galley.database.count(allDeliveries)).toBe(2 * count);
    const positions = await galley.database.query(
      'SELECT position::integer FROM events WHERE workspace_id = $1 ORDER BY position',
      [workspace.id],
    );
    expect(positions).toEqual([{ position: 1 }, { position: 2 }]);
    await eventually('the queue to be empty', async () => {
      const queuedTraffic = 'webhook_traffic WHERE queued';
      return (await galley.database.count(queuedTraffic)) === 0;
    });
    await galley.database.query('DELETE FROM webhook_endpoints WHERE workspace_id = $1', [
      workspace.id,
    ]);
    expect(await galley.database.count(createdDeliveries)).toBe(0);
  });
});
