import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createClient,
  createTemplate,
  deleteTemplate,
  GalleyError,
  getTemplate,
  listReplays,
  listTemplates,
  listWorkspaces,
  paginate,
  readEvents,
  updateTemplate,
  verifyWebhook,
  type ClientConfig,
} from '#client';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { subscribe } from '../../support/webhooks/subscriptions.js';
import {
  hang,
  ScriptedServer,
  reset,
  respond,
  stall,
  truncate,
  type Behaviour,
} from '../../support/network/scripted-server.js';

let galley: Galley;
let server: ScriptedServer;
beforeAll(async () => {
  [galley, server] = await Promise.all([startGalley({ worker: true }), ScriptedServer.start()]);
});
afterAll(async () => {
  await galley.stop();
  await server.stop();
});

const id = randomUUID();
const path = { id };
const body = { workspaceId: id, name: 'Welcome' };
const success = respond(200, { id });
const errorBodyOf = (statusCode: number, code: string) => ({ statusCode, code, message: 'Words.' });
const unavailable = respond(503, errorBodyOf(503, 'unavailable'));

const clientOf = (config: ClientConfig = {}) => createClient({ baseUrl: server.url, ...config });

/** The error that a request throws. */
async function errorOf(work: Promise<unknown>): Promise<GalleyError> {
  const error: unknown = await work.then(
    () => new Error('It succeeded.'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof GalleyError) return error;
  throw error;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const clientWithoutRetries = (config: ClientConfig = {}) => clientOf({ maxRetries: 0, ...config });

async function collect<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const collected: Row[] = [];
  for await (const row of rows) collected.push(row);
  return collected;
}

describe('an error', () => {
  it('has everything that the response says', async () => {
    const details = [{ path: 'name', message: 'name must not be empty' }];
    const errorBody = { ...errorBodyOf(400, 'invalid'), details };
    server.behave(respond(400, errorBody));
    const error = await errorOf(createTemplate({ client: clientOf(), body }));
    expect(error).toMatchObject({
      name: 'GalleyError',
      message: 'Words.',
      statusCode: 400,
      code: 'invalid',
      details,
      requestId: 'of-the-server',
      retryAfter: undefined,
    });
    expect(server.received).toHaveLength(1);
  });

  it.each<[string, Behaviour, object]>([
    ['a reset', reset, { code: 'connection_failed', statusCode: undefined }],
    ['a reset in a response', truncate, { code: 'connection_failed', statusCode: undefined }],
    ['a server that hangs', hang, { code: 'timed_out', statusCode: undefined }],
    ['a response that stalls', stall, { code: 'timed_out', statusCode: undefined }],
    ['malformed JSON', respond(200, '{"id": '), { code: 'unexpected_response', statusCode: 200 }],
    ["a proxy's page", respond(502, '<html>'), { code: 'unexpected_response', statusCode: 502 }],
    ['an empty error', respond(500, ''), { code: 'unexpected_response', statusCode: 500 }],
    ['a foreign error', respond(404, { error: 'no' }), { code: 'unexpected_response' }],
    [
      'an unknown code',
      respond(418, errorBodyOf(418, 'teapot')),
      { code: 'teapot', statusCode: 418 },
    ],
  ])('names %s', async (_title, behaviour, expected) => {
    server.behave(behaviour);
    const timeoutMs = [hang, stall].includes(behaviour) ? 300 : 30_000;
    const client = clientWithoutRetries({ timeoutMs });
    const error = await errorOf(getTemplate({ client, path }));
    expect(error).toMatchObject({ details: [], ...expected });
    expect(error.message).toMatch(/^[A-Z].*\.$/);
  });

  it('understands a Retry-After date, which a proxy may send', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    server.behave(respond(503, '', { 'retry-after': date }));
    const { retryAfter = NaN } = await errorOf(getTemplate({ client: clientOf(), path }));
    expect(Math.abs(retryAfter - 3600)).toBeLessThan(60);
    expect(server.received).toHaveLength(1);
  });

  it('is returned instead of thrown on request', async () => {
    server.behave(respond(404, errorBodyOf(404, 'not_found')));
    const { error, data } = await getTemplate({ client: clientOf(), path, throwOnError: false });
    expect(data).toBeUndefined();
    expect(error).toBeInstanceOf(GalleyError);
    expect(error?.code).toBe('not_found');
  });

  it('of the function that provides the token stays unchanged', async () => {
    const failure = new Error('The vault is closed.');
    const client = clientOf({ auth: () => Promise.reject(failure) });
    await expect(getTemplate({ client, path })).rejects.toBe(failure);
  });
});

describe('a retry', () => {
  it.each<[string, Behaviour]>([
    ['a reset', reset],
    ['a reset in a response', truncate],
    ['a server that hangs', hang],
    ['a response that stalls', stall],
    ...[408, 429, 502, 503, 504].map((status): [string, Behaviour] => [
      String(status),
      respond(status, '<html>'),
    ]),
    ['a key in use', respond(409, errorBodyOf(409, 'in_progress'), { 'retry-after': '0' })],
  ])('follows %s', async (_title, behaviour) => {
    server.behave(behaviour, success);
    const timeoutMs = [hang, stall].includes(behaviour) ? 300 : 30_000;
    const client = clientOf({ timeoutMs });
    expect((await updateTemplate({ client, path, body: { name: 'A' } })).data).toEqual({ id });
    expect(server.received.map((each) => each.body)).toEqual(['{"name":"A"}', '{"name":"A"}']);
  });

  it.each([400, 401, 403, 404, 409, 412, 413, 422, 500, 501])(
    'does not follow %i',
    async (status) => {
      server.behave(respond(status, errorBodyOf(status, 'whatever')), success);
      expect(await errorOf(getTemplate({ client: clientOf(), path }))).toMatchObject({
        statusCode: status,
      });
      expect(server.received).toHaveLength(1);
    },
  );

  it('repeats a POST with the same generated key, and uses another key for the next call', async () => {
    server.behave(unavailable, reset, success);
    const client = clientOf();
    await createTemplate({ client, body });
    await createTemplate({ client, body });
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3]]);
    expect(keys[0]).toMatch(/^[\da-f]{32}$/);
    expect(keys[3]).not.toBe(keys[0]);
  });

  it("keeps the caller's key, and adds none to other methods", async () => {
    server.behave(unavailable, success);
    const client = clientOf();
    await createTemplate({ client, body, headers: { 'Idempotency-Key': 'mine' } });
    await deleteTemplate({ client, path });
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(['mine', 'mine', undefined]);
  });

  it('is made after a growing pause, at most three times', async () => {
    server.behave(unavailable);
    const error = await errorOf(getTemplate({ client: clientOf(), path }));
    expect(error).toMatchObject({ statusCode: 503, code: 'unavailable' });
    const times = server.received.map(({ at }) => at);
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(pauses).toHaveLength(3);
    // Timers may be a millisecond early.
    for (const [retry, minimumMs] of [250, 500, 1000].entries()) {
      expect(pauses[retry]).toBeGreaterThanOrEqual(minimumMs - 2);
    }
  });

  it('is made no earlier than Retry-After says', async () => {
    server.behave(
      respond(429, errorBodyOf(429, 'too_many_requests'), { 'retry-after': '1' }),
      success,
    );
    await getTemplate({ client: clientOf(), path });
    const [first, second] = server.received.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(998);
  });

  it('is not made if the pause would be longer than a minute', async () => {
    server.behave(respond(503, errorBodyOf(503, 'unavailable'), { 'retry-after': '61' }), success);
    const error = await errorOf(getTemplate({ client: clientOf(), path }));
    expect(error).toMatchObject({ statusCode: 503, retryAfter: 61 });
    expect(server.received).toHaveLength(1);
  });

  it('ends its pause when the caller aborts', async () => {
    server.behave(respond(503, '', { 'retry-after': '60' }));
    const abortController = new AbortController();
    const pendingError = errorOf(
      getTemplate({ client: clientOf(), path, signal: abortController.signal }),
    );
    await eventually('the first attempt', () => Promise.resolve(server.received.length === 1));
    abortController.abort();
    expect(await pendingError).toMatchObject({ code: 'aborted', statusCode: undefined });
    expect(server.received).toHaveLength(1);
  });

  it('is not made for a request that the caller has aborted, or whose signal has timed out', async () => {
    server.behave(hang);
    const client = clientOf();
    const signal = AbortSignal.timeout(300);
    expect(await errorOf(getTemplate({ client, path, signal }))).toMatchObject({
      code: 'timed_out',
    });
    const aborted = AbortSignal.abort();
    expect(await errorOf(getTemplate({ client, path, signal: aborted }))).toMatchObject({
      code: 'aborted',
    });
    expect(server.received).toHaveLength(1);
  });
});

it.each([
  ['hangs', hang],
  ['stalls', stall],
])('a server that %s times out, even after a garbage collection', async (_title, behaviour) => {
  server.behave(behaviour);
  const client = clientWithoutRetries({ timeoutMs: 1000 });
  let hasEnded = false;
  const ownTimeoutError = errorOf(getTemplate({ client, path })).finally(() => (hasEnded = true));
  const signal = AbortSignal.timeout(1000);
  const callerTimeoutError = errorOf(getTemplate({ client: clientWithoutRetries(), path, signal }));
  await eventually('the timeout', () => {
    collectGarbage();
    return hasEnded;
  });
  for (const pendingError of [ownTimeoutError, callerTimeoutError])
    expect(await pendingError).toMatchObject({ code: 'timed_out' });
});

describe('against Galley', () => {
  it('creates a template once if the response is lost', async () => {
    const ada = await galley.clientFor('ada');
    const { id: workspaceId } = await galley.createWorkspaceFor('ada');
    let requests = 0;
    const proxy = createServer((request, response) => {
      void (async () => {
        const upstream = await fetch(galley.url + (request.url ?? ''), {
          method: request.method ?? '',
          headers: request.headers as Record<string, string>,
          body: await text(request),
        });
        const upstreamText = await upstream.text();
        requests += 1;
        if (requests === 1) request.socket.resetAndDestroy();
        else
          response
            .writeHead(upstream.status, { 'content-type': 'application/json' })
            .end(upstreamText);
      })();
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const baseUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const client = createClient({ baseUrl, auth: ada.token });
    const { data: template } = await createTemplate({ client, body: { workspaceId, name: 'One' } });
    expect(requests).toBe(2);
    const { data: page } = await listTemplates({ client: ada.generated, query: { workspaceId } });
    expect(page.data.map((row) => row.id)).toEqual([template.id]);
    proxy.closeAllConnections();
    proxy.close();
  });

  it('has the code and request id of every refusal', async () => {
    const ada = await galley.clientFor('ada');
    const client = createClient({ baseUrl: galley.url, auth: ada.token });
    const { data: workspace, response } = await listWorkspaces({ client });
    expect(workspace.data.length).toBeGreaterThan(0);
    expect(response.headers.get('content-type')).toMatch(/json/);
    const notFoundError = await errorOf(getTemplate({ client, path }));
    expect(notFoundError).toMatchObject({ statusCode: 404, code: 'not_found' });
    expect(notFoundError.requestId).toMatch(/^[\w.-]+$/);
    const anonymousClient = createClient({ baseUrl: galley.url });
    expect(await errorOf(getTemplate({ client: anonymousClient, path }))).toMatchObject({
      code: 'unauthorized',
    });
  });

  it('reads any list to its end', async () => {
    const ada = await galley.clientFor('ada');
    const { generated: client } = ada;
    const { id: workspaceId } = await galley.createWorkspaceFor('ada');
    const names = Array.from({ length: 5 }, (_, index) => `Template ${index}`);
    for (const name of names) await createTemplate({ client, body: { workspaceId, name } });
    const rows = paginate(listTemplates, {
      client,
      query: { workspaceId, sort: 'name', limit: 2 },
    });
    expect((await collect(rows)).map(({ name }) => name)).toEqual(names);
    const webhookInput = { workspaceId, url: 'https://example.com', events: ['module.created'] };
    const { body: webhook } = await ada.post<{ id: string }>('/api/webhooks', webhookInput);
    expect(await collect(paginate(listReplays, { client, path: { id: webhook.id } }))).toEqual([]);
    const events = () =>
      collect(paginate(readEvents, { client, query: { workspaceId, after: 1, limit: 2 } }));
    await eventually('all events', async () => (await events()).length === 4);
    expect((await events()).map(({ position }) => position)).toEqual([2, 3, 4, 5]);
  });

  it("verifies Galley's notifications", async () => {
    const ada = await galley.clientFor('ada');
    const { id: workspaceId } = await galley.createWorkspaceFor('ada');
    const receiver = await Receiver.start();
    const { secret } = await subscribe(ada, workspaceId, receiver);
    const { data } = await createTemplate({
      client: ada.generated,
      body: { workspaceId, name: 'Größe' },
    });
    const [notification] = await eventually('a notification', () =>
      Promise.resolve(receiver.received.length > 0 && receiver.received),
    );
    if (notification === undefined) throw new Error('Nothing was received.');
    const verified = await verifyWebhook(notification.body, notification.headers, secret);
    expect(verified).toMatchObject({
      id: notification.headers['webhook-id'],
      notification: { event: 'template.created', data: { id: data.id, name: 'Größe' } },
    });
    await receiver.stop();
  });

  it('requests a page only when the loop reaches it', async () => {
    const position = (at: number) => ({ position: at, id });
    server.behave(
      respond(200, { data: [position(6), position(7)], nextAfter: 7 }),
      respond(200, { data: [position(8)], nextAfter: 8 }),
      respond(200, { data: [], nextAfter: 8 }),
    );
    const events = paginate(readEvents, {
      client: clientOf(),
      query: { workspaceId: id, after: 5 },
    });
    const positions: number[] = [];
    for await (const event of events) {
      positions.push(event.position);
      if (event.position === 7) expect(server.received).toHaveLength(1);
    }
    expect(positions).toEqual([6, 7, 8]);
    expect(server.received).toHaveLength(3);
  });
});
