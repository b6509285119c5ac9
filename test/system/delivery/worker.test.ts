import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Workspace } from '#client';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { subscribe } from '../../support/webhooks/subscriptions.js';
import { itTimed } from '../../support/it-timed.js';
import { startProgram } from '../../support/processes/galley-programs.js';
import type { Program } from '../../support/processes/program.js';

const CHANGES = 500;
// Below the limit of the API: one caller may have a hundred requests waiting.
const CONCURRENT_REQUESTS = 50;

let galley: Galley;
let ada: Client;
let workspace: Workspace;
let receiver: Receiver;
const workers: Program[] = [];

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
  workspace = await galley.createWorkspaceFor('ada');
  receiver = await Receiver.start();
  await subscribe(ada, workspace.id, receiver);
});
afterAll(async () => {
  for (const worker of workers) worker.killGroup();
  await receiver.stop();
  await galley.stop();
});

/** Starts the worker as in production: the compiled program in a separate process. */
async function startWorker(settings: Record<string, string> = {}): Promise<Program> {
  const { program } = await startProgram('worker', { ...galley.environment, ...settings });
  workers.push(program);
  return program;
}

const receivedIds = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id']));

it('a worker that is killed during a burst loses nothing', async () => {
  const firstWorker = await startWorker();
  const pendingStatuses = Array.from({ length: CONCURRENT_REQUESTS }, async () => {
    const statuses: number[] = [];
    while (statuses.length < CHANGES / CONCURRENT_REQUESTS) {
      const { status } = await ada.post('/api/templates', {
        name: 'Changed',
        workspaceId: workspace.id,
      });
      statuses.push(status);
    }
    return statuses;
  });
  await eventually('the burst to be on its way', () => receiver.received.length >= 100);
  firstWorker.killGroup();
  const statuses = (await Promise.all(pendingStatuses)).flat();
  expect(statuses).toEqual(Array(CHANGES).fill(201));
  expect(receivedIds().size).toBeLessThan(CHANGES);

  const secondWorker = await startWorker();
  await eventually('all changes to arrive', () => receivedIds().size === CHANGES);
  const countRecorded = async () => galley.database.count('webhook_delivery_log');
  // Deliveries that were sent but not recorded are claimed again when their lease ends, after 20 s.
  await eventually('all attempts to be recorded', async () => (await countRecorded()) === CHANGES);
  // Notifications that the worker had sent but not recorded when it was killed arrive twice: at most as many
  // as an endpoint may have in flight.
  expect(receiver.received.length).toBeLessThanOrEqual(CHANGES + 100);

  // A worker that is asked to stop finishes its attempts and exits with code 0.
  secondWorker.signal('SIGTERM');
  expect(await secondWorker.exited).toEqual([0, null]);
});

itTimed(
  'a worker that is asked to stop releases waiting endpoints to other workers at once',
  async () => {
    const count = 20;
    receiver.received.length = 0;
    let respond: (status: number) => void = () => undefined;
    const responseGate = new Promise<number>((resolve) => (respond = resolve));
    receiver.reaction = (_notification, number) => (number === 1 ? responseGate : 204);
    // With one slot, all other deliveries wait in the worker until the first delivery ends.
    const stoppingWorker = await startWorker({ WORKER_CONCURRENCY: '1' });
    await Promise.all(
      Array.from({ length: count }, () =>
        ada.post('/api/templates', { name: 'Waits', workspaceId: workspace.id }),
      ),
    );
    await eventually('the first delivery to be sent', () => receiver.received.length === 1);
    await eventually(
      'all to be relayed',
      async () => (await galley.database.count('outbox')) === 0,
    );

    const stoppedAt = Date.now();
    stoppingWorker.signal('SIGTERM');
    await startWorker();
    // All other deliveries arrive while the first delivery still waits for its response.
    await eventually('all to arrive', () => receivedIds().size === count);
    // If the worker did not release the endpoint, the sweep would queue it 20 s after it was last queued.
    // A busy machine takes up to 9 s, most of them to start the other worker.
    expect(Date.now() - stoppedAt).toBeLessThan(15_000);
    respond(204);
    expect(await stoppingWorker.exited).toEqual([0, null]);
  },
);
