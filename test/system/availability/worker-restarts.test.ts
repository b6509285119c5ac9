import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { probePort } from '../../../apps/standalone/ports.js';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { startProgram, waitUntilReady } from '../../support/processes/galley-programs.js';
import type { Program } from '../../support/processes/program.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { subscribe } from '../../support/webhooks/subscriptions.js';

const RESTARTS = 10;
// About 40 seconds, and far more on a machine that has too much to do.
const TIMEOUT_MS = 400_000;
const CALLERS = 4;
const PAUSE_MS = 20;
// Some attempts take longer than a worker takes to stop when it has nothing to do.
const RESPONSE_TIMES_MS = [0, 20, 200, 1_000];
// How many notifications arrive between two restarts.
const NOTIFICATIONS_BETWEEN_RESTARTS = 40;

interface Worker {
  port: number;
  program: Program;
}

let galley: Galley;
let ada: Client;
let workspaceId: string;
let receivers: Receiver[];
let workers: Worker[] = [];

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
  receivers = await Promise.all(RESPONSE_TIMES_MS.map(startReceiver));
  workers = await Promise.all([await probePort(0), await probePort(0)].map(startWorker));
});
afterAll(async () => {
  for (const { program } of workers) program.killGroup();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  await galley.stop();
});

async function startReceiver(responseTimeMs: number): Promise<Receiver> {
  const receiver = await Receiver.start();
  receiver.reaction = () => delay(responseTimeMs, 204);
  await subscribe(ada, workspaceId, receiver);
  return receiver;
}

async function startWorker(port: number): Promise<Worker> {
  const worker = await startProgram(
    'worker',
    { ...galley.environment, LOG_LEVEL: 'info' },
    { port },
  );
  await waitUntilReady(worker);
  return { port, program: worker.program };
}

const countReceived = () => receivers.reduce((sum, { received }) => sum + received.length, 0);

it(
  'rolling restarts of workers deliver each notification once',
  async () => {
    let isRunning = true;
    let changes = 0;
    const callers = Array.from({ length: CALLERS }, async () => {
      while (isRunning) {
        const fields = { workspaceId, name: 'Welcome' };
        const id = await createResource(ada, '/api/templates', fields);
        await ada.put(`/api/templates/${id}`, { name: 'Hello' });
        await ada.delete(`/api/templates/${id}`);
        changes += 3;
        await delay(PAUSE_MS);
      }
    });
    for (let restart = 0; restart < RESTARTS; restart++) {
      const index = restart % workers.length;
      const { port, program } = workers[index] as Worker;
      const enough = countReceived() + NOTIFICATIONS_BETWEEN_RESTARTS;
      await eventually('notifications', () => countReceived() >= enough);
      program.signal('SIGTERM');
      expect(await program.exited).toEqual([0, null]);
      workers[index] = await startWorker(port);
    }
    isRunning = false;
    await Promise.all(callers);
    await eventually('all deliveries to be recorded', async () => {
      const [row] = await galley.database.query<{ open: boolean }>(
        'SELECT EXISTS (SELECT FROM outbox) OR EXISTS (SELECT FROM webhook_deliveries) AS open',
      );
      return row?.open === false;
    });
    for (const { received } of receivers) {
      const ids = received.map(({ headers }) => headers['webhook-id']);
      expect([new Set(ids).size, ids.length]).toEqual([changes, changes]);
    }
  },
  TIMEOUT_MS,
);
