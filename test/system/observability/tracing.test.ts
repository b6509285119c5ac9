import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { probePort } from '../../../apps/standalone/ports.js';
import { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { OtlpCollector } from '../../support/network/otlp-collector.js';
import { Inspector } from '../../support/processes/inspector.js';
import type { Program } from '../../support/processes/program.js';
import { addEvents } from '../../support/webhooks/outbox-events.js';
import { Receiver, type Notification } from '../../support/webhooks/receiver.js';
import { startProgram, waitUntilReady } from '../../support/processes/galley-programs.js';

// A text that requests, webhooks and templates contain, and that no span may contain.
const MARK = 'hunter2';
const TRACE_ID = 'ab'.repeat(16);
const OTHER_TRACE_ID = 'ef'.repeat(16);
const PARENT_ID = 'cd'.repeat(8);
// The exporter tries for 10 s to send spans; a shutdown does not wait for that.
const MAX_SHUTDOWN_MS = 8_000;

interface Programs {
  api: Program;
  worker: Program;
  inspectors: Inspector[];
}

let galley: Galley;
let programs: Programs | undefined;
let receiver: Receiver;
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  [galley, receiver] = await Promise.all([startGalley(), Receiver.start()]);
});
afterEach(async () => {
  receiver.received.length = 0;
  receiver.reaction = () => 204;
  if (programs === undefined) return;
  const { api, worker, inspectors } = programs;
  for (const inspector of inspectors) inspector.close();
  for (const program of [api, worker]) {
    program.killGroup();
    await program.exited;
  }
});
afterAll(async () => {
  await receiver.stop();
  await galley.stop();
});

/** Starts the real programs, and makes `ada` a client of the API with a new workspace. */
async function startPrograms(
  environment: Record<string, string>,
  workerEnvironment: Record<string, string> = {},
): Promise<Programs> {
  const start = (name: 'api' | 'worker', variables: object) =>
    startProgram(
      name,
      { ...galley.environment, LOG_LEVEL: 'info', ...environment, ...variables },
      { nodeArguments: ['--inspect=127.0.0.1:0'] },
    );
  const started = [await start('api', {}), await start('worker', workerEnvironment)] as const;
  const [{ program: api, url }, { program: worker }] = started;
  const inspectors = await Promise.all([api, worker].map(({ child }) => Inspector.attach(child)));
  programs = { api, worker, inspectors };
  for (const each of started) await waitUntilReady(each);
  ada = new Client(url, await galley.issuer.token('ada'));
  workspaceId = await createResource(ada, '/api/workspaces', { name: MARK });
  return programs;
}

/** Stops the programs as an orchestrator does. Returns how long that took. */
async function shutDown({ api, worker, inspectors }: Programs): Promise<number> {
  // A program waits for its debugger before it exits.
  for (const inspector of inspectors) inspector.close();
  const startedAt = performance.now();
  for (const program of [api, worker]) program.signal('SIGTERM');
  expect(await Promise.all([api.exited, worker.exited])).toEqual([
    [0, null],
    [0, null],
  ]);
  return performance.now() - startedAt;
}

const subscribe = (headers: Record<string, string> = {}, events = ['template.updated']) =>
  createResource(ada, '/api/webhooks', {
    workspaceId,
    url: `${receiver.url}?token=${MARK}`,
    events,
    headers,
  });

/** Creates a template and changes it, in a request with this `traceparent`. */
async function changeTemplate(traceparent?: string): Promise<void> {
  const id = await createResource(ada, '/api/templates', { workspaceId, name: MARK });
  const client = traceparent === undefined ? ada : ada.with({ traceparent, tracestate: MARK });
  const changes = { name: `${MARK} 2`, content: { [MARK]: MARK } };
  expect(await client.put(`/api/templates/${id}`, changes)).toMatchObject({ status: 200 });
}

const notifications = (count: number): Promise<Notification[]> =>
  eventually(`${count} notifications`, () =>
    receiver.received.length >= count ? receiver.received : undefined,
  );

async function retryFailed(webhookId: string): Promise<void> {
  const log = `/api/webhooks/${webhookId}/deliveries`;
  const { id } = await eventually('a failed attempt', async () => {
    const { body } = await ada.get<{ data: { id: string; attempts: number }[] }>(log);
    return body.data.find(({ attempts }) => attempts > 0);
  });
  const { status } = await ada.post(`${log}/${id}/retry`);
  expect(status).toBeLessThan(300);
}

/** The packages of OpenTelemetry that each program has loaded. */
const loadedPackages = ({ inspectors }: Programs): Promise<string[][]> =>
  Promise.all(
    inspectors.map(async (inspector) => {
      const packages = (await inspector.loadedScripts()).flatMap(
        (path) => /node_modules\/(@opentelemetry\/[^/]+)\//.exec(path)?.[1] ?? [],
      );
      return [...new Set(packages)].sort();
    }),
  );

/** Waits until the programs have recorded all deliveries. */
const allRecorded = () =>
  eventually('all to be recorded', async () => {
    const [row] = await galley.database.query<{ open: boolean }>(
      'SELECT EXISTS (SELECT FROM outbox) OR EXISTS (SELECT FROM webhook_deliveries) AS open',
    );
    return row?.open === false;
  });

it('one trace runs from the PUT to the POST, and a retry joins it', async () => {
  const collector = await OtlpCollector.start();
  const running = await startPrograms({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${MARK}`,
  });
  const webhookId = await subscribe({ authorization: `Bearer ${MARK}` });
  receiver.reaction = (_notification, count) => (count === 1 ? 500 : 204);
  await changeTemplate(`00-${TRACE_ID}-${PARENT_ID}-01`);
  await ada.get(`/api/templates?workspaceId=${workspaceId}&name=${MARK}`);
  await notifications(1);
  await retryFailed(webhookId);
  const received = await notifications(2);
  await allRecorded();
  await shutDown(running);

  const trace = collector.spans.filter(({ traceId }) => traceId === TRACE_ID);
  const named = (wanted: string) => trace.filter(({ name }) => name === wanted);
  const [request] = named('PUT /api/templates/:id');
  expect(request).toMatchObject({ service: 'galley-api', kind: 2, parentSpanId: PARENT_ID });
  expect(request?.attributes).toMatchObject({
    'http.request.method': 'PUT',
    'http.route': '/api/templates/:id',
    'http.response.status_code': 200,
  });
  const [transaction] = named('transaction');
  expect(transaction?.parentSpanId).toBe(request?.spanId);

  const attempts = named('attempt');
  expect(attempts.map(({ status }) => status)).toEqual([2, 0]);
  expect(attempts.map(({ attributes }) => attributes)).toMatchObject([
    { 'galley.attempt': 1, 'http.response.status_code': 500, 'galley.stage': 'status' },
    { 'galley.attempt': 2, 'http.response.status_code': 204, 'galley.endpoint.id': webhookId },
  ]);
  for (const [index, attempt] of attempts.entries()) {
    expect(attempt).toMatchObject({ service: 'galley-worker', kind: 3 });
    expect(attempt.parentSpanId).toBe(transaction?.spanId);
    expect(received[index]?.headers['traceparent']).toBe(`00-${TRACE_ID}-${attempt.spanId}-01`);
  }
  // These spans serve many traces at once, so they have their own traces.
  for (const name of ['relay', 'claim', 'record']) {
    const linking = collector.spans.filter(
      (span) => span.name === name && span.links.includes(TRACE_ID),
    );
    expect(linking.length).toBeGreaterThan(0);
    for (const span of linking) expect(span).toMatchObject({ parentSpanId: '' });
  }
  expect(collector.requests.every(({ url }) => url === '/v1/traces')).toBe(true);
  expect(collector.requests[0]?.headers.authorization).toBe(`Bearer ${MARK}`);
  for (const secret of [MARK, ada.token ?? '', 'whsec_', receiver.url, 'Bearer']) {
    expect(collector.text).not.toContain(secret);
  }
  expect(running.api.output + running.worker.output).not.toContain(MARK);
  await collector.stop();
});

it('a trace that is not sampled stays so, and events without a trace begin one', async () => {
  const collector = await OtlpCollector.start();
  const running = await startPrograms({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const own = `00-${OTHER_TRACE_ID}-${PARENT_ID}-01`;
  await subscribe({ TraceParent: own });
  await subscribe({}, ['template.updated', 'template.created']);
  await changeTemplate(`00-${TRACE_ID}-${PARENT_ID}-00`);
  await notifications(3);
  // As an API of an earlier version stores events.
  await addEvents(galley.database, 1, { id: workspaceId });
  const received = await notifications(4);
  await allRecorded();
  for (const packages of await loadedPackages(running)) {
    expect(packages).toContain('@opentelemetry/sdk-trace');
  }
  await shutDown(running);
  const headers = received.map((notification) => String(notification.headers['traceparent']));
  expect(headers.filter((header) => header === own)).toHaveLength(1);
  expect(headers).toContainEqual(
    expect.stringMatching(new RegExp(`^00-${TRACE_ID}-(?!${PARENT_ID})[\\da-f]{16}-00$`)),
  );
  expect(collector.spans.map(({ traceId }) => traceId)).not.toContain(TRACE_ID);
  const attempts = collector.spans.filter(({ name }) => name === 'attempt');
  expect(attempts.map(({ parentSpanId }) => parentSpanId)).toContain('');
  for (const { traceId, spanId } of attempts)
    expect(headers).toContain(`00-${traceId}-${spanId}-01`);
  expect(collector.spans.some(({ name }) => name.includes('/health/'))).toBe(false);
  await collector.stop();
});

it('without a collector, nothing of the SDK is loaded, and no header is sent', async () => {
  const running = await startPrograms({ OTEL_EXPORTER_OTLP_ENDPOINT: '' });
  await subscribe();
  await changeTemplate(`00-${TRACE_ID}-${PARENT_ID}-01`);
  const [notification] = await notifications(1);
  expect(notification?.headers).not.toHaveProperty('traceparent');
  await allRecorded();
  for (const packages of await loadedPackages(running)) {
    expect(packages).toEqual(['@opentelemetry/api']);
  }
  const stored = await galley.database.query<{ traceparent: string | null }>(
    'SELECT traceparent FROM events WHERE workspace_id = $1',
    [workspaceId],
  );
  expect(new Set(stored.map(({ traceparent }) => traceparent))).toEqual(new Set([null]));
  await shutDown(running);
});

it('a collector that refuses or never responds harms nothing', async () => {
  const silent = createServer((socket) => socket.on('error', () => undefined));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port: silentPort } = silent.address() as AddressInfo;
  const running = await startPrograms(
    { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await probePort(0)}` },
    { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${silentPort}` },
  );
  await subscribe();
  await changeTemplate();
  const received = await notifications(1);
  expect(received[0]?.headers['traceparent']).toMatch(/-01$/);
  await allRecorded();
  expect(await shutDown(running)).toBeLessThan(MAX_SHUTDOWN_MS);
  for (const { output } of [running.api, running.worker]) {
    const warnings = output.split('\n').filter((line) => line.includes('"stage":"trace"'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('Spans were dropped');
  }
  silent.close();
});
