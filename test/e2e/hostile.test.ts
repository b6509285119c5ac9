import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Workspace } from '#client';
import { tryPort } from '../../apps/standalone/ports.js';
import type { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { startGalley, type Galley } from '../support/galley.js';
import { HostileReceiver, hostileKinds } from '../support/hostile-receivers.js';
import { Inspector } from '../support/inspector.js';
import { Sink } from '../support/sink.js';
import { subscribe } from '../support/webhooks.js';

const OF_EACH_KIND = 9;
const HEALTHY = 10;
const EVENTS = 50;

let galley: Galley;
let ada: Client;
let worker: ChildProcess;
let inspector: Inspector;
let forbidden: Server;
let forbiddenConnections = 0;
let receivers: HostileReceiver[];
let healthy: Sink[];
let hostileWorkspace: Workspace;
let healthyWorkspace: Workspace;

beforeAll(async () => {
  galley = await startGalley({ environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.1/32' } });
  ada = await galley.as('ada');
  const env = { ...galley.environment, WORKER_PORT: String(await tryPort(0)) };
  worker = spawn(process.execPath, ['--inspect=127.0.0.1:0', 'dist/apps/worker/main.js'], {
    env,
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  inspector = await Inspector.attach(worker);
  forbidden = createServer(() => forbiddenConnections++);
  await new Promise<void>((resolve) => forbidden.listen(0, '127.0.0.2', resolve));
  const { port } = forbidden.address() as AddressInfo;
  const kinds = Array.from({ length: OF_EACH_KIND }, () => hostileKinds).flat();
  receivers = await Promise.all(
    kinds.map((kind) => HostileReceiver.start(kind, `http://127.0.0.2:${port}/latest/meta-data`)),
  );
  healthy = await Promise.all(Array.from({ length: HEALTHY }, () => Sink.start()));
  [hostileWorkspace, healthyWorkspace] = [
    await galley.workspaceOf('ada'),
    await galley.workspaceOf('ada'),
  ];
  for (const sink of healthy) await subscribe(ada, healthyWorkspace.id, sink);
});
afterAll(async () => {
  inspector.close();
  worker.kill('SIGKILL');
  forbidden.close();
  await Promise.all([...receivers, ...healthy].map((each) => each.stop()));
  await galley.stop();
});

const addEvents = (count: number, { id }: Workspace) =>
  galley.database.query(
    `INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data)
     SELECT gen_random_uuid(), 'template.created', $2, gen_random_uuid(), 1, '{}'
     FROM generate_series(1, $1::integer)`,
    [count, id],
  );

const idsAt = ({ received }: Sink) => new Set(received.map(({ headers }) => headers['webhook-id']));
/** On a busy machine one may come twice. */
const received = () => healthy.reduce((sum, sink) => sum + idsAt(sink).size, 0);

/** Sends so many events to each healthy receiver, and waits until all have come. */
async function serveHealthy(events: number): Promise<void> {
  const before = received();
  await addEvents(events, healthyWorkspace);
  await eventually('the healthy ones to be served', () => received() - before === events * HEALTHY);
}

interface Outcome {
  url: string;
  status_code: number | null;
  stage: string | null;
  error: string | null;
  body: number | null;
}

const firstAttempts = () =>
  galley.database.query<Outcome>(
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

const TIMEOUT = { status_code: null, stage: 'first-byte', error: 'no answer within 15 s' };
const expected: Record<string, object> = {
  'hangs after it has accepted': TIMEOUT,
  'sends a byte a second': TIMEOUT,
  'answers with an endless body': { status_code: 200, stage: null, body: 16_384 },
  'answers with a gzip bomb': { status_code: 200, stage: null },
  'answers with 1 MB of headers': { status_code: null, stage: 'first-byte' },
  'closes in the middle of its answer': { status_code: 200, stage: null, body: 9 },
  // The first two are under way at once.
  'answers with 2xx and 5xx by turns': {},
  'closes without an answer': { status_code: null, stage: 'first-byte' },
  'answers with what is no HTTP': { status_code: null, stage: 'first-byte' },
  // Which of them is first is open; that it is recorded is what counts.
  'answers before it was asked': {},
  'redirects to a metadata service': { status_code: 302, stage: 'status' },
  'has the certificate of another name': { status_code: null, stage: 'tls' },
};

it('a hundred hostile receivers do not keep healthy ones from being served', async () => {
  // What is made once and kept is there after a while.
  for (let round = 0; round < 10; round++) await serveHealthy(EVENTS);
  const calm = await inspector.heldMemory();

  for (const { url } of receivers) {
    const events = ['template.created'];
    const { status } = await ada.post('/api/webhooks', {
      workspaceId: hostileWorkspace.id,
      url,
      events,
    });
    expect([url, status]).toEqual([url, 201]);
  }
  await addEvents(20, hostileWorkspace);
  let memory = 0;
  let outcomes: Outcome[] = [];
  await eventually('every hostile receiver to be tried', async () => {
    await serveHealthy(EVENTS);
    memory = Math.max(memory, await inspector.heldMemory());
    outcomes = await firstAttempts();
    return outcomes.length === receivers.length;
  });
  const kindOf = new Map(receivers.map(({ url, kind }) => [url, kind]));
  for (const outcome of outcomes) {
    const kind = kindOf.get(outcome.url) ?? '';
    expect({ kind, ...outcome }).toMatchObject({ kind, ...expected[kind] });
  }
  expect(forbiddenConnections).toBe(0);
  expect(memory - calm).toBeLessThan(20);
});
