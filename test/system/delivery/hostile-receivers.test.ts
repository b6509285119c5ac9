import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Workspace } from '#client';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { HostileReceiver, hostileKinds } from '../../support/webhooks/hostile-receivers.js';
import { Inspector } from '../../support/processes/inspector.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { subscribe } from '../../support/webhooks/subscriptions.js';
import { addEvents } from '../../support/webhooks/outbox-events.js';
import { startProgram } from '../../support/processes/galley-programs.js';
import type { Program } from '../../support/processes/program.js';

const RECEIVERS_PER_KIND = 9;
const HEALTHY_RECEIVERS = 10;
const EVENTS = 50;

let galley: Galley;
let ada: Client;
let worker: Program;
let inspector: Inspector;
let forbiddenServer: Server;
let forbiddenConnections = 0;
let receivers: HostileReceiver[];
let healthy: Receiver[];
let hostileWorkspace: Workspace;
let healthyWorkspace: Workspace;

beforeAll(async () => {
  galley = await startGalley({ environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.1/32' } });
  ada = await galley.clientFor('ada');
  const nodeArguments = ['--inspect=127.0.0.1:0'];
  ({ program: worker } = await startProgram('worker', galley.environment, { nodeArguments }));
  inspector = await Inspector.attach(worker.child);
  forbiddenServer = createServer(() => forbiddenConnections++);
  await new Promise<void>((resolve) => forbiddenServer.listen(0, '127.0.0.2', resolve));
  const { port } = forbiddenServer.address() as AddressInfo;
  const kinds = Array.from({ length: RECEIVERS_PER_KIND }, () => hostileKinds).flat();
  receivers = await Promise.all(
    kinds.map((kind) => HostileReceiver.start(kind, `http://127.0.0.2:${port}/latest/meta-data`)),
  );
  healthy = await Promise.all(Array.from({ length: HEALTHY_RECEIVERS }, () => Receiver.start()));
  [hostileWorkspace, healthyWorkspace] = [
    await galley.createWorkspaceFor('ada'),
    await galley.createWorkspaceFor('ada'),
  ];
  for (const receiver of healthy) await subscribe(ada, healthyWorkspace.id, receiver);
});
afterAll(async () => {
  inspector.close();
  worker.killGroup();
  await worker.exited;
  forbiddenServer.close();
  await Promise.all([...receivers, ...healthy].map((receiver) => receiver.stop()));
  await galley.stop();
});

const receivedIds = ({ received }: Receiver) =>
  new Set(received.map(({ headers }) => headers['webhook-id']));
/** Counts each notification once: on a busy machine, a notification may arrive twice. */
const countReceived = () => healthy.reduce((sum, receiver) => sum + receivedIds(receiver).size, 0);

/** Sends this many events to each healthy receiver, and waits until all have arrived. */
async function serveHealthy(events: number): Promise<void> {
  const before = countReceived();
  await addEvents(galley.database, events, healthyWorkspace);
  await eventually(
    'the healthy receivers to be served',
    () => countReceived() - before === events * HEALTHY_RECEIVERS,
  );
}

interface FirstAttempt {
  url: string;
  status_code: number | null;
  stage: string | null;
  error: string | null;
  body: number | null;
}

const firstAttempts = () =>
  galley.database.query<FirstAttempt>(
    `SELECT DISTINCT ON (endpoint.url) endpoint.url, attempt.status_code, attempt.stage,
       attempt.error, length(attempt.response_body) AS body
     FROM webhook_endpoints endpoint
     JOIN (SELECT endpoint_id, id FROM webhook_deliveries
           UNION ALL SELECT endpoint_id, id FROM webhook_delivery_log) delivery
       ON delivery.endpoint_id = endpoint.id
     JOIN webhook_attempts attempt ON attempt.delivery_id = delivery.id
     WHERE endpoint.workspace_id = $1
     ORDER BY endpoint.url, attempt.started_at`,
    [hostileWorkspace.id],
  );

const TIMEOUT = { status_code: null, stage: 'first-byte', error: 'no response within 15 s' };
const expectedByKind: Record<string, object> = {
  'hangs after accepting the connection': TIMEOUT,
  'sends a byte a second': TIMEOUT,
  'responds with an endless body': { status_code: 200, stage: null, body: 16_384 },
  'responds with a gzip bomb': { status_code: 200, stage: null },
  'responds with 1 MB of headers': { status_code: null, stage: 'first-byte' },
  'closes in the middle of its response': { status_code: 200, stage: null, body: 9 },
  'alternates between 2xx and 5xx': { status_code: 500, stage: 'status' },
  'closes without a response': { status_code: null, stage: 'first-byte' },
  'responds with something other than HTTP': { status_code: null, stage: 'first-byte' },
  // The response may arrive before or after the request is sent. Either result may be recorded.
  'responds before the request': {},
  'redirects to a metadata service': { status_code: 302, stage: 'status' },
  'has the certificate of another name': { status_code: null, stage: 'tls' },
};

it('a hundred hostile receivers do not delay healthy ones', async () => {
  // After a few rounds, the worker has created all caches and connections that it creates only once.
  for (let round = 0; round < 10; round++) await serveHealthy(EVENTS);
  const baselineMemory = await inspector.heldMemory();

  for (const { url } of receivers) {
    const events = ['template.created'];
    const { status } = await ada.post('/api/webhooks', {
      workspaceId: hostileWorkspace.id,
      url,
      events,
    });
    expect([url, status]).toEqual([url, 201]);
  }
  await addEvents(galley.database, 20, hostileWorkspace);
  let memory = 0;
  let attempts: FirstAttempt[] = [];
  await eventually('every hostile receiver to be tried', async () => {
    await serveHealthy(EVENTS);
    memory = Math.max(memory, await inspector.heldMemory());
    attempts = await firstAttempts();
    return attempts.length === receivers.length;
  });
  const kindOf = new Map(receivers.map(({ url, kind }) => [url, kind]));
  for (const attempt of attempts) {
    const kind = kindOf.get(attempt.url) ?? '';
    expect({ kind, ...attempt }).toMatchObject({ kind, ...expectedByKind[kind] });
  }
  expect(forbiddenConnections).toBe(0);
  expect(memory - baselineMemory).toBeLessThan(20);
});
