import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Workspace } from '#client';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadWorkerConfig } from '#config';
import { Relay, Claims } from '#webhooks';
import { createWorker } from '../../../apps/worker/worker.js';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { Receiver, type Notification, type Reaction } from '../../support/webhooks/receiver.js';
import { subscribe } from '../../support/webhooks/subscriptions.js';
import { addEvents } from '../../support/webhooks/outbox-events.js';
import { itTimed } from '../../support/it-timed.js';

const ENDPOINTS = 1_000;
const EVENTS = 10;
// An attempt that hangs times out after 15 s. So a delivery that waits for such an attempt takes longer
// than these 5 s.
const MAX_WAIT_MS = 5_000;

let galley: Galley;
let ada: Client;
let bob: Client;

/** An attacker's receivers and how they respond. */
interface AttackReceivers {
  count: number;
  reaction: Reaction;
  urlOf?: (url: string, at: number) => string;
}

const ATTACKS: Record<string, AttackReceivers> = {
  'endpoints that always fail': { count: 200, reaction: () => 500 },
  'origins that keep their connections': {
    count: 200,
    reaction: () => 204,
    urlOf: (url, index) => url.replace('127.0.0.1', `receiver-${index}.localhost`),
  },
  'endpoints that flood informational responses': { count: 40, reaction: flood },
};

function flood({ socket }: Notification): Promise<never> {
  const writeMore = () => {
    if (socket.writable) socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000), writeMore);
  };
  socket.on('error', () => undefined);
  writeMore();
  return new Promise(() => undefined);
}

/**
 * Creates a workspace of Ada's with a thousand endpoints that never respond, and a few events for each
 * endpoint.
 */
async function startHangingAttack(): Promise<{ workspace: Workspace; hanging: Receiver }> {
  const hanging = await Receiver.start();
  hanging.reaction = () => new Promise(() => undefined);
  const workspace = await galley.createWorkspaceFor('ada');
  await subscribeMany(workspace, ENDPOINTS, () => hanging.url);
  await addEvents(galley.database, EVENTS, workspace);
  await eventually('the first attempts to hang', () => hanging.received.length >= 10);
  return { workspace, hanging };
}

async function subscribeMany(
  { id }: Workspace,
  count: number,
  urlOf: (at: number) => string,
): Promise<void> {
  // With more requests at once, the requests of one user wait for each other. On a busy machine they would
  // wait longer than the API allows.
  const atOnce = 5;
  for (let created = 0; created < count; created += atOnce) {
    await Promise.all(
      Array.from({ length: atOnce }, (_, index) =>
        subscribe(ada, id, { url: urlOf(created + index) }),
      ),
    );
  }
}

/** Makes changes as Bob, one after another. Returns the longest time from a change to its notification. */
async function longestWait(
  workspace: Workspace,
  receiver: Receiver,
  changes: number,
): Promise<number> {
  let longest = 0;
  for (let change = 0; change < changes; change++) {
    const before = receiver.received.length;
    const startedAt = Date.now();
    await bob.post('/api/templates', { name: 'Welcome', workspaceId: workspace.id });
    await eventually('the notification', () => receiver.received.length > before, {
      timeout: 120_000,
    });
    longest = Math.max(longest, Date.now() - startedAt);
  }
  return longest;
}

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
  bob = await galley.clientFor('bob');
});
afterAll(() => galley.stop());

describe('a limit of the machine', () => {
  it('does not count as a failure of the receiver', async () => {
    const receiver = await Receiver.start();
    const script = new URL('../../support/processes/exhaust-file-descriptors.js', import.meta.url)
      .pathname;
    const { stdout } = spawnSync(
      'sh',
      ['-c', `ulimit -n 256; exec "$0" "$@"`, process.execPath, script, receiver.url],
      { encoding: 'utf8' },
    );
    expect(JSON.parse(stdout)).toMatchObject({
      localProblem: { affectsAllEndpoints: false },
      ok: false,
    });
    expect(receiver.received).toEqual([]);
    await receiver.stop();
  });

  it('costs no attempt, and the delivery is due again soon', async () => {
    const receiver = await Receiver.start();
    const workspace = await galley.createWorkspaceFor('ada');
    const { id } = await subscribe(ada, workspace.id, receiver);
    const worker = await createWorker(loadWorkerConfig(galley.environment));
    const claims = worker.get(Claims, { strict: false });
    await addEvents(galley.database, 1, workspace);
    await worker.get(Relay, { strict: false }).startWalk().relayChunk();
    const [delivery] = (await claims.claim(id, 1)).deliveries;
    if (delivery === undefined) throw new Error('Nothing was claimed.');
    await claims.release(delivery, { affectsAllEndpoints: false, needsOperator: false });
    const releasedTraffic =
      'webhook_traffic WHERE in_flight = 0 AND failures = 0 AND wake_at IS NOT NULL';
    expect(await galley.database.count(`${releasedTraffic} AND endpoint_id = '${id}'`)).toBe(1);
    let reclaimed = await claims.claim(id, 1);
    await eventually('the delivery to be due again', async () => {
      if (reclaimed.deliveries.length === 0) reclaimed = await claims.claim(id, 1);
      return reclaimed.deliveries.length === 1;
    });
    expect(reclaimed.deliveries).toMatchObject([{ id: delivery.id, attempts: 0, claimNumber: 2 }]);
    await worker.close();
    await receiver.stop();
  });
});

describe.each([1, 2])('with %d workers', (count) => {
  const workers: NestFastifyApplication[] = [];

  beforeAll(async () => {
    for (let at = 0; at < count; at++) {
      const worker = await createWorker(loadWorkerConfig(galley.environment));
      await worker.init();
      workers.push(worker);
    }
  });
  afterAll(() => Promise.all(workers.map((worker) => worker.close())));

  itTimed(
    'a thousand endpoints that hang delay no other workspace, and free their slots when they are deleted',
    async () => {
      const healthy = await Receiver.start();
      const workspace = await galley.createWorkspaceFor('bob');
      await subscribe(bob, workspace.id, healthy);
      await longestWait(workspace, healthy, 3);
      const { workspace: attackerWorkspace, hanging } = await startHangingAttack();
      expect(await longestWait(workspace, healthy, 30)).toBeLessThan(MAX_WAIT_MS);

      // A new endpoint in a new workspace is not slowed either.
      const newWorkspace = await galley.createWorkspaceFor('bob');
      await subscribe(bob, newWorkspace.id, healthy);
      expect(await longestWait(newWorkspace, healthy, 1)).toBeLessThan(MAX_WAIT_MS);

      const openSockets = [...hanging.sockets];
      expect(openSockets.length).toBeGreaterThanOrEqual(10);
      await ada.delete(`/api/workspaces/${attackerWorkspace.id}?force=true`);
      const startedAt = Date.now();
      await eventually('the connections to be closed', () =>
        openSockets.every(({ destroyed }) => destroyed),
      );
      expect(Date.now() - startedAt).toBeLessThan(MAX_WAIT_MS);
      expect(await longestWait(workspace, healthy, 5)).toBeLessThan(MAX_WAIT_MS);
      await galley.database.query('DELETE FROM webhook_endpoints WHERE workspace_id = $1', [
        attackerWorkspace.id,
      ]);
      await Promise.all([hanging.stop(), healthy.stop()]);
    },
  );

  itTimed.each(Object.entries(ATTACKS))('%s delay no other workspace', async (_, attackers) => {
    const [healthy, hostile] = await Promise.all([Receiver.start(), Receiver.start()]);
    hostile.reaction = attackers.reaction;
    const workspace = await galley.createWorkspaceFor('bob');
    const { id } = await subscribe(bob, workspace.id, healthy);
    await longestWait(workspace, healthy, 3);
    const attackerWorkspace = await galley.createWorkspaceFor('ada');
    const urlOf = attackers.urlOf ?? ((url: string) => url);
    await subscribeMany(attackerWorkspace, attackers.count, (at) => urlOf(hostile.url, at));
    await addEvents(galley.database, EVENTS, attackerWorkspace);
    await eventually('the first attempts', () => hostile.received.length >= 10);
    expect(await longestWait(workspace, healthy, 30)).toBeLessThan(MAX_WAIT_MS);

    const [traffic] = await galley.database.query(
      'SELECT failures, opened FROM webhook_traffic WHERE endpoint_id = $1',
      [id],
    );
    expect(traffic).toEqual({ failures: 0, opened: 0 });
    await ada.delete(`/api/workspaces/${attackerWorkspace.id}?force=true`);
    await Promise.all([healthy.stop(), hostile.stop()]);
  });
});
