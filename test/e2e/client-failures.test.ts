import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
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
  WebhookVerificationError,
  type ClientConfig,
} from '#client';
import { eventually } from '../support/eventually.js';
import { startGalley, type Galley } from '../support/galley.js';
import { Sink } from '../support/sink.js';
import { subscribe } from '../support/webhooks.js';
import {
  hang,
  MisbehavingServer,
  reset,
  respond,
  stall,
  truncate,
  type Behaviour,
} from '../support/misbehaving-server.js';

let galley: Galley;
let server: MisbehavingServer;
beforeAll(async () => {
  [galley, server] = await Promise.all([startGalley({ worker: true }), MisbehavingServer.start()]);
});
afterAll(async () => {
  await galley.stop();
  await server.stop();
});

const id = randomUUID();
const path = { id };
const body = { workspaceId: id, name: 'Welcome' };
const done = respond(200, { id });
const refusal = (statusCode: number, code: string) => ({ statusCode, code, message: 'Words.' });
const unavailable = respond(503, refusal(503, 'unavailable'));

const clientOf = (config: ClientConfig = {}) => createClient({ baseUrl: server.url, ...config });

/** What a request throws. */
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

const single = (config: ClientConfig = {}) => clientOf({ maxRetries: 0, ...config });

async function arrayOf<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const read: Row[] = [];
  for await (const row of rows) read.push(row);
  return read;
}

describe('an error', () => {
  it('says all that the response says', async () => {
    const details = [{ path: 'name', message: 'name must not be empty' }];
    const refused = { ...refusal(400, 'invalid'), details };
    server.behave(respond(400, refused));
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
    ['an unknown code', respond(418, refusal(418, 'teapot')), { code: 'teapot', statusCode: 418 }],
  ])('names %s', async (_what, behaviour, expected) => {
    server.behave(behaviour);
    const timeoutMs = [hang, stall].includes(behaviour) ? 300 : 30_000;
    const client = single({ timeoutMs });
    const error = await errorOf(getTemplate({ client, path }));
    expect(error).toMatchObject({ details: [], ...expected });
    expect(error.message).toMatch(/^[A-Z].*\.$/);
  });

  it('understands a date to retry at, as a proxy may send it', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    server.behave(respond(503, '', { 'retry-after': date }));
    const { retryAfter = NaN } = await errorOf(getTemplate({ client: clientOf(), path }));
    expect(Math.abs(retryAfter - 3600)).toBeLessThan(60);
    expect(server.received).toHaveLength(1);
  });

  it('is returned instead of thrown on request', async () => {
    server.behave(respond(404, refusal(404, 'not_found')));
    const { error, data } = await getTemplate({ client: clientOf(), path, throwOnError: false });
    expect(data).toBeUndefined();
    expect(error).toBeInstanceOf(GalleyError);
    expect(error?.code).toBe('not_found');
  });

  it('of a function that gets the token stays as it is', async () => {
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
    ['a key in use', respond(409, refusal(409, 'conflict'), { 'retry-after': '0' })],
  ])('follows %s', async (_what, behaviour) => {
    server.behave(behaviour, done);
    const timeoutMs = [hang, stall].includes(behaviour) ? 300 : 30_000;
    const client = clientOf({ timeoutMs });
    expect((await updateTemplate({ client, path, body: { name: 'A' } })).data).toEqual({ id });
    expect(server.received.map((each) => each.body)).toEqual(['{"name":"A"}', '{"name":"A"}']);
  });

  it.each([400, 401, 403, 404, 409, 412, 413, 422, 500, 501])(
    'does not follow %i',
    async (status) => {
      server.behave(respond(status, refusal(status, 'whatever')), done);
      expect(await errorOf(getTemplate({ client: clientOf(), path }))).toMatchObject({
        statusCode: status,
      });
      expect(server.received).toHaveLength(1);
    },
  );

  it('sends a POST with the same key of its own, and another one for the next call', async () => {
    server.behave(unavailable, reset, done);
    const client = clientOf();
    await createTemplate({ client, body });
    await createTemplate({ client, body });
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3]]);
    expect(keys[0]).toMatch(/^[\da-f]{32}$/);
    expect(keys[3]).not.toBe(keys[0]);
  });

  it('keeps the key of the caller, and gives none to other methods', async () => {
    server.behave(unavailable, done);
    const client = clientOf();
    await createTemplate({ client, body, headers: { 'Idempotency-Key': 'mine' } });
    await deleteTemplate({ client, path });
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(['mine', 'mine', undefined]);
  });

  it('comes after a pause that grows, three times at most', async () => {
    server.behave(unavailable);
    const error = await errorOf(getTemplate({ client: clientOf(), path }));
    expect(error).toMatchObject({ statusCode: 503, code: 'unavailable' });
    const times = server.received.map(({ at }) => at);
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(pauses).toHaveLength(3);
    // Timers may be a millisecond early.
    for (const [retry, least] of [250, 500, 1000].entries()) {
      expect(pauses[retry]).toBeGreaterThanOrEqual(least - 2);
    }
  });

  it('comes no earlier than Retry-After says', async () => {
    server.behave(respond(429, refusal(429, 'too_many_requests'), { 'retry-after': '1' }), done);
    await getTemplate({ client: clientOf(), path });
    const [first, second] = server.received.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(998);
  });

  it('does not come when it would have to wait for longer than a minute', async () => {
    server.behave(respond(503, refusal(503, 'unavailable'), { 'retry-after': '61' }), done);
    const error = await errorOf(getTemplate({ client: clientOf(), path }));
    expect(error).toMatchObject({ statusCode: 503, retryAfter: 61 });
    expect(server.received).toHaveLength(1);
  });

  it('is not waited for once the caller aborts', async () => {
    server.behave(respond(503, '', { 'retry-after': '60' }));
    const abort = new AbortController();
    const work = errorOf(getTemplate({ client: clientOf(), path, signal: abort.signal }));
    await eventually('the first attempt', () => Promise.resolve(server.received.length === 1));
    abort.abort();
    expect(await work).toMatchObject({ code: 'aborted', statusCode: undefined });
    expect(server.received).toHaveLength(1);
  });

  it('is not made for a request that the caller has aborted, or whose own time is over', async () => {
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
])(
  'a server that %s is given up on, whatever is collected as garbage',
  async (_what, behaviour) => {
    server.behave(behaviour);
    const client = single({ timeoutMs: 1000 });
    let ended = false;
    const ofItsOwn = errorOf(getTemplate({ client, path })).finally(() => (ended = true));
    const signal = AbortSignal.timeout(1000);
    const ofTheCaller = errorOf(getTemplate({ client: single(), path, signal }));
    await eventually('the end of it', () => {
      collectGarbage();
      return ended;
    });
    for (const work of [ofItsOwn, ofTheCaller])
      expect(await work).toMatchObject({ code: 'timed_out' });
  },
);

describe('against Galley', () => {
  it('makes a template once when the response gets lost', async () => {
    const ada = await galley.as('ada');
    const { id: workspaceId } = await galley.workspaceOf('ada');
    let requests = 0;
    const proxy = createServer((request, response) => {
      void (async () => {
        const sent = await fetch(galley.url + (request.url ?? ''), {
          method: request.method ?? '',
          headers: request.headers as Record<string, string>,
          body: await text(request),
        });
        const answer = await sent.text();
        requests += 1;
        if (requests === 1) request.socket.resetAndDestroy();
        else response.writeHead(sent.status, { 'content-type': 'application/json' }).end(answer);
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

  it('has every code and request id of a refusal', async () => {
    const ada = await galley.as('ada');
    const client = createClient({ baseUrl: galley.url, auth: ada.token });
    const { data: workspace, response } = await listWorkspaces({ client });
    expect(workspace.data.length).toBeGreaterThan(0);
    expect(response.headers.get('content-type')).toMatch(/json/);
    const missing = await errorOf(getTemplate({ client, path }));
    expect(missing).toMatchObject({ statusCode: 404, code: 'not_found' });
    expect(missing.requestId).toMatch(/^[\w.-]+$/);
    const stranger = createClient({ baseUrl: galley.url });
    expect(await errorOf(getTemplate({ client: stranger, path }))).toMatchObject({
      code: 'unauthorized',
    });
  });

  it('reads any list to its end', async () => {
    const ada = await galley.as('ada');
    const { generated: client } = ada;
    const { id: workspaceId } = await galley.workspaceOf('ada');
    const names = Array.from({ length: 5 }, (_, at) => `Template ${at}`);
    for (const name of names) await createTemplate({ client, body: { workspaceId, name } });
    const rows = paginate(listTemplates, {
      client,
      query: { workspaceId, sort: 'name', limit: 2 },
    });
    expect((await arrayOf(rows)).map(({ name }) => name)).toEqual(names);
    const hook = { workspaceId, url: 'https://example.com', events: ['module.created'] };
    const { body: webhook } = await ada.post<{ id: string }>('/api/webhooks', hook);
    expect(await arrayOf(paginate(listReplays, { client, path: { id: webhook.id } }))).toEqual([]);
    const events = () =>
      arrayOf(paginate(readEvents, { client, query: { workspaceId, after: 1, limit: 2 } }));
    await eventually('all events', async () => (await events()).length === 4);
    expect((await events()).map(({ position }) => position)).toEqual([2, 3, 4, 5]);
  });

  it('verifies what Galley sends', async () => {
    const ada = await galley.as('ada');
    const { id: workspaceId } = await galley.workspaceOf('ada');
    const sink = await Sink.start();
    const { secret } = await subscribe(ada, workspaceId, sink);
    const { data } = await createTemplate({
      client: ada.generated,
      body: { workspaceId, name: 'Größe' },
    });
    const [sent] = await eventually('a notification', () =>
      Promise.resolve(sink.received.length > 0 && sink.received),
    );
    if (sent === undefined) throw new Error('Nothing was received.');
    const verified = await verifyWebhook(sent.body, sent.headers, secret);
    expect(verified).toMatchObject({
      id: sent.headers['webhook-id'],
      notification: { event: 'template.created', data: { id: data.id, name: 'Größe' } },
    });
    await sink.stop();
  });

  it('requests a page only when a loop gets there', async () => {
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

describe('a webhook', () => {
  const secrets = Array.from({ length: 3 }, () => `whsec_${randomBytes(32).toString('base64')}`);
  const [secret = '', other = '', third = ''] = secrets;
  const payload = JSON.stringify({
    event: 'module.deleted',
    timestamp: '',
    data: { name: 'Füße 🦶' },
  });
  const signed = (with_ = secret, at = new Date(), content = payload) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(with_).sign('msg_1', at, content),
  });
  const seconds = (from: number) => new Date(Date.now() + from * 1000);

  it('is verified and typed, from text and bytes, of Node and of fetch', async () => {
    const verified = { id: 'msg_1', notification: JSON.parse(payload) as unknown };
    const headers = signed();
    expect(await verifyWebhook(payload, headers, secret)).toEqual(verified);
    expect(await verifyWebhook(Buffer.from(payload), headers, [secret])).toEqual(verified);
    expect(await verifyWebhook(payload, new Headers(headers), secret)).toEqual(verified);
    const shouting = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect(await verifyWebhook(payload, shouting, secret)).toEqual(verified);
    expect(await verifyWebhook(payload, headers, secret.replace('whsec_', ''))).toEqual(verified);
    const { notification } = await verifyWebhook(payload, headers, secret);
    if (notification.event === 'module.deleted') expect(notification.data.name).toBe('Füße 🦶');
  });

  it('may be signed by any of several secrets, and with several', async () => {
    await verifyWebhook(payload, signed(other), secrets);
    const both = [third, other].map((each) => signed(each)['webhook-signature']).join(' ');
    await verifyWebhook(payload, { ...signed(), 'webhook-signature': `v2,x ${both}` }, other);
  });

  it.each<[string, string, object]>([
    ['another body', `${payload} `, signed()],
    ['another id', payload, { ...signed(), 'webhook-id': 'msg_2' }],
    [
      'another time',
      payload,
      { ...signed(), 'webhook-timestamp': signed(secret, seconds(-2))['webhook-timestamp'] },
    ],
    ['another secret', payload, signed(other)],
    ['an old signature', payload, signed(secret, seconds(-3600))],
    ['a signature from the future', payload, signed(secret, seconds(3600))],
    ['a time that is none', payload, { ...signed(), 'webhook-timestamp': 'NaN' }],
    ['no signature', payload, { ...signed(), 'webhook-signature': undefined }],
    ['an empty signature', payload, { ...signed(), 'webhook-signature': 'v1,' }],
    [
      'another scheme',
      payload,
      { ...signed(), 'webhook-signature': signed()['webhook-signature'].replace('v1', 'v0') },
    ],
    ['no headers', payload, {}],
  ])('is refused with %s', async (_what, content, headers) => {
    const verification = verifyWebhook(content, headers as Record<string, string>, secret);
    await expect(verification).rejects.toThrow(WebhookVerificationError);
  });

  it('may be as old as the receiver allows', async () => {
    await verifyWebhook(payload, signed(secret, seconds(-400)), secret, { toleranceSeconds: 1000 });
  });

  it.each([[''], ['whsec_'], ['whsec_?'], [[]]])(
    'is not checked with the secret %j',
    async (wrong) => {
      await expect(verifyWebhook(payload, signed(), wrong)).rejects.toThrow(TypeError);
    },
  );

  it('is not checked once it is parsed', async () => {
    const parsed = JSON.parse(payload) as string;
    await expect(verifyWebhook(parsed, signed(), secret)).rejects.toThrow('raw body');
  });
});
