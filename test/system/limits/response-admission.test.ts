import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import Fastify, { type FastifyInstance } from 'fastify';
import { eventually } from '../../support/eventually.js';
import type { CallerRequest } from '../../../apps/api/http/caller.js';
import {
  limitUnreadResponses,
  UNREAD_RESPONSE_LIMITS,
  type UnreadResponseLimits,
} from '../../../apps/api/responses/unread-responses.js';
import { itTimed } from '../../support/it-timed.js';

const MIB = 1024 * 1024;
// Larger than the socket buffers of client and server together.
const LARGE_BYTES = 24 * MIB;
const SLOW_HANDLER_MS = 1_000;

let fastify: FastifyInstance;
let port: number;
const clients: Socket[] = [];

beforeAll(() => void Logger.overrideLogger(false));
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  fastify.server.closeAllConnections();
  await fastify.close();
});

/** Starts a server. The path names the size of the response, and a header names the caller. */
async function start(bounds: Partial<UnreadResponseLimits>): Promise<void> {
  fastify = Fastify({ keepAliveTimeout: 100 });
  fastify.addHook('onRequest', (request, _reply, done) => {
    (request as CallerRequest).user = { userId: String(request.headers['x-user']) };
    done();
  });
  limitUnreadResponses(fastify, { ...UNREAD_RESPONSE_LIMITS, ...bounds });
  fastify.route<{ Params: { bytes: number } }>({
    method: ['GET', 'POST'],
    url: '/:bytes',
    handler: ({ params }, reply) => {
      void reply.header('etag', '"a"').send(JSON.stringify('x'.repeat(params.bytes - 2)));
    },
  });
  fastify.get('/slow', async () => {
    await delay(SLOW_HANDLER_MS);
    return { isDone: true };
  });
  await fastify.listen({ port: 0, host: '127.0.0.1' });
  port = (fastify.server.address() as AddressInfo).port;
}

/** Sends a request, and reads nothing. */
async function sendRequest(
  path: string,
  { user = 'ada', method = 'GET', times = 1 } = {},
): Promise<Socket> {
  const client = connect(port, '127.0.0.1');
  clients.push(client);
  await once(client, 'connect');
  client.pause();
  client.write(`${method} ${path} HTTP/1.1\r\nhost: a\r\nx-user: ${user}\r\n\r\n`.repeat(times));
  return client;
}

const countConnections = () =>
  new Promise<number>((resolve) => {
    fastify.server.getConnections((_error, count) => resolve(count));
  });
const waitForClose = () =>
  eventually('the connection to be closed', async () => !(await countConnections()));

/** Reads until the response has this many bytes, or ends. */
async function readResponse(client: Socket, bytes: number, pauseMs = 0): Promise<string> {
  let text = '';
  for await (const chunk of client) {
    text += String(chunk);
    if (text.length >= bytes) break;
    if (pauseMs > 0) await delay(pauseMs);
  }
  return text;
}

const get = async (size: number, user: string) => {
  const response = await fetch(`http://127.0.0.1:${port}/${size}`, { headers: { 'x-user': user } });
  return { response, text: await response.text() };
};

it.each([
  ['a large response', `/${LARGE_BYTES}`, 1],
  ['many small responses', '/8000', 3_000],
])('closes a connection whose client reads nothing of %s', async (_title, path, times) => {
  await start({ stallTimeoutMs: 200 });
  await sendRequest(path, { times });
  await waitForClose();
});

itTimed(
  'does not close a connection that is read slowly, for much longer than the stall timeout',
  async () => {
    const stallTimeoutMs = 2_000;
    await start({ stallTimeoutMs, minBytesPerSecond: 64 * 1024 });
    const client = await sendRequest(`/${LARGE_BYTES}`);
    const startedAt = Date.now();
    // A chunk has at most 64 KiB, so a pause of 12 ms after each chunk adds up to more than 4 s.
    const text = await readResponse(client, LARGE_BYTES, 12);
    expect(text.length).toBeGreaterThan(LARGE_BYTES);
    expect(Date.now() - startedAt).toBeGreaterThan(2 * stallTimeoutMs);
  },
);

it('closes a connection that is read too slowly', async () => {
  await start({ stallTimeoutMs: 1_000, minBytesPerSecond: 24 * MIB });
  const client = await sendRequest(`/${LARGE_BYTES}`);
  const closed = once(fastify.server, 'connection').then(([socket]) =>
    once(socket as Socket, 'close'),
  );
  void closed;
  const text = await readResponse(client, LARGE_BYTES, 50);
  expect(text.length).toBeLessThan(LARGE_BYTES);
  await waitForClose();
});

/** Continues to read until this many bytes have arrived. */
async function readMore(client: Socket, bytes: number): Promise<void> {
  let readBytes = 0;
  for await (const chunk of client.iterator({ destroyOnReturn: false })) {
    readBytes += (chunk as Buffer).length;
    if (readBytes >= bytes) break;
  }
}

describe('pipelined responses', () => {
  const responseCount = 4;
  const quotas = { perCaller: responseCount * LARGE_BYTES, total: responseCount * LARGE_BYTES };
  const { stallTimeoutMs } = UNREAD_RESPONSE_LIMITS;
  const deadlineMs = stallTimeoutMs + 1_000;

  beforeEach(() => {
    // Fakes only the global `setTimeout`, which the deadlines use. Node itself measures the sockets' timeouts,
    // and the tests wait with `node:timers/promises`.
    jest.useFakeTimers({
      doNotFake: [
        ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
        ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
      ],
    });
  });
  afterEach(() => void jest.useRealTimers());

  it('may each take as long as a single one, counted from the end of the earlier ones', async () => {
    await start({ minBytesPerSecond: LARGE_BYTES, quotas });
    const client = await sendRequest(`/${LARGE_BYTES}`, { times: responseCount });
    // A response begins only when the earlier response is finished.
    await readMore(client, LARGE_BYTES + MIB);
    for (let response = 2; response < responseCount; response++) {
      jest.advanceTimersByTime(0.75 * deadlineMs);
      await readMore(client, LARGE_BYTES);
    }
    jest.advanceTimersByTime(0.75 * deadlineMs);
    expect(await countConnections()).toBe(1);
  });

  it('may each take no longer', async () => {
    await start({ minBytesPerSecond: LARGE_BYTES, quotas });
    const client = await sendRequest(`/${LARGE_BYTES}`, { times: 2 });
    await readMore(client, LARGE_BYTES + MIB);
    jest.advanceTimersByTime(deadlineMs - 1);
    expect(await countConnections()).toBe(1);
    jest.advanceTimersByTime(1);
    await waitForClose();
  });
});

it('releases responses that wait for earlier ones when the client disconnects', async () => {
  await start({ quotas: { perCaller: 2 * LARGE_BYTES, total: 8 * LARGE_BYTES } });
  const client = await sendRequest(`/${LARGE_BYTES}`, { times: 2 });
  await eventually(
    'both responses to be ready',
    async () => (await get(10, 'ada')).response.status === 429,
  );
  client.destroy();
  await eventually('room for another response', async () => {
    return (await get(LARGE_BYTES, 'ada')).response.status === 200;
  });
});

it('waits for a handler that takes its time, and closes a connection that is idle', async () => {
  await start({ stallTimeoutMs: SLOW_HANDLER_MS / 5 });
  const client = await sendRequest('/slow');
  const text = await readResponse(client, Infinity);
  expect(text).toMatch(/^HTTP\/1.1 200 OK.*\{"isDone":true\}$/s);
  await waitForClose();
});

it('refuses reads only of a caller with too many unread bytes', async () => {
  await start({ quotas: { perCaller: 2 * LARGE_BYTES, total: 8 * LARGE_BYTES } });
  const first = await sendRequest(`/${LARGE_BYTES}`);
  const second = await sendRequest(`/${LARGE_BYTES}`);
  const refused = await eventually('the quota to be reached', async () => {
    const response = await get(LARGE_BYTES, 'ada');
    return response.response.status === 429 && response;
  });
  expect(JSON.parse(refused.text)).toMatchObject({
    statusCode: 429,
    message:
      'Too many responses are unread: one user or API key may have at most 48 MiB of unread responses. Read the responses, or close their connections. Retry in 5 seconds.',
  });
  expect(refused.response.headers.get('retry-after')).toBe('5');
  expect(refused.response.headers.get('etag')).toBeNull();
  expect((await get(LARGE_BYTES, 'bob')).text).toHaveLength(LARGE_BYTES);
  first.destroy();
  await eventually('room for another response', async () => {
    return (await get(LARGE_BYTES, 'ada')).response.status === 200;
  });
  second.destroy();
});

it('responds to a write of such a caller, and closes an older response instead', async () => {
  await start({ quotas: { perCaller: LARGE_BYTES, total: 8 * LARGE_BYTES } });
  await sendRequest(`/${LARGE_BYTES}`);
  await eventually('the response to be ready', async () => {
    return (await get(LARGE_BYTES, 'ada')).response.status === 429;
  });
  const writeClient = await sendRequest(`/${LARGE_BYTES}`, { method: 'POST' });
  expect(await readResponse(writeClient, LARGE_BYTES)).toMatch(/^HTTP\/1.1 200 OK/);
});

it('closes responses of the caller with the most bytes when the total is exceeded', async () => {
  await start({ quotas: { perCaller: 3 * LARGE_BYTES, total: 3 * LARGE_BYTES } });
  const largestClients = [
    await sendRequest(`/${LARGE_BYTES}`, { user: 'eve' }),
    await sendRequest(`/${LARGE_BYTES}`, { user: 'eve' }),
  ];
  await eventually('both responses to be ready', async () => {
    const { response } = await get(10, 'eve');
    return response.status === 200 && (await countConnections()) >= 2;
  });
  const smallerClient = await sendRequest(`/${LARGE_BYTES}`, { user: 'bob' });
  expect((await get(LARGE_BYTES, 'ada')).text).toHaveLength(LARGE_BYTES);
  expect(await readResponse(smallerClient, LARGE_BYTES)).toMatch(/^HTTP\/1.1 200 OK/);
  const receivedTexts = await Promise.all(
    largestClients.map((client) => readResponse(client, LARGE_BYTES).catch(() => '')),
  );
  expect(receivedTexts.filter((text) => text.length > LARGE_BYTES)).toHaveLength(1);
});
