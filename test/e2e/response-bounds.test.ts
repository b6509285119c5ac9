import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import Fastify, { type FastifyInstance } from 'fastify';
import { eventually } from '../support/eventually.js';
import type { CallerRequest } from '../../apps/api/auth/actor.decorator.js';
import {
  boundResponses,
  RESPONSE_BOUNDS,
  type ResponseBounds,
} from '../../apps/api/responses/bound-responses.js';

const MIB = 1024 * 1024;
// More than the buffers of both kernels take.
const LARGE = 24 * MIB;
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

/** A server with responses of the size in the path, to the caller in a header. */
async function start(bounds: Partial<ResponseBounds>): Promise<void> {
  fastify = Fastify({ keepAliveTimeout: 100 });
  fastify.addHook('onRequest', (request, _reply, done) => {
    (request as CallerRequest).user = { userId: String(request.headers['x-user']) };
    done();
  });
  boundResponses(fastify, { ...RESPONSE_BOUNDS, ...bounds });
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
async function ask(
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

const connections = () =>
  new Promise<number>((resolve) => {
    fastify.server.getConnections((_error, count) => resolve(count));
  });
const isClosed = () =>
  eventually('the connection to be closed', async () => !(await connections()));

/** All that comes until the response has this many bytes, or ends. */
async function read(client: Socket, bytes: number, pauseMs = 0): Promise<string> {
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
  ['a large response', `/${LARGE}`, 1],
  ['many small ones', '/8000', 3_000],
])('closes a connection whose client reads nothing of %s', async (_what, path, times) => {
  await start({ stalledMs: 200 });
  await ask(path, { times });
  await isClosed();
});

it('does not close one that is read slowly, for much longer than a client may read nothing', async () => {
  const stalledMs = 2_000;
  await start({ stalledMs, leastRate: 64 * 1024 });
  const client = await ask(`/${LARGE}`);
  const begin = Date.now();
  // Chunks have up to 64 KiB.
  const text = await read(client, LARGE, 12);
  expect(text.length).toBeGreaterThan(LARGE);
  expect(Date.now() - begin).toBeGreaterThan(2 * stalledMs);
});

it('closes one that is read too slowly', async () => {
  await start({ stalledMs: 1_000, leastRate: 24 * MIB });
  const client = await ask(`/${LARGE}`);
  const closed = once(fastify.server, 'connection').then(([socket]) =>
    once(socket as Socket, 'close'),
  );
  void closed;
  const text = await read(client, LARGE, 50);
  expect(text.length).toBeLessThan(LARGE);
  await isClosed();
});

/** Reads on until so many bytes have come. */
async function readOn(client: Socket, bytes: number): Promise<void> {
  let read = 0;
  for await (const chunk of client.iterator({ destroyOnReturn: false })) {
    read += (chunk as Buffer).length;
    if (read >= bytes) break;
  }
}

describe('pipelined responses', () => {
  const times = 4;
  const quotas = { caller: times * LARGE, all: times * LARGE };
  const { stalledMs } = RESPONSE_BOUNDS;
  const deadlineMs = stalledMs + 1_000;

  beforeEach(() => {
    // The deadlines alone: sockets are timed by Node itself, and the waits of the tests are real.
    jest.useFakeTimers({
      doNotFake: [
        ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
        ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
      ],
    });
  });
  afterEach(() => void jest.useRealTimers());

  it('may each take as long as one, from when the earlier ones have been read', async () => {
    await start({ leastRate: LARGE, quotas });
    const client = await ask(`/${LARGE}`, { times });
    // Something of a response has come only once the earlier one is done with.
    await readOn(client, LARGE + MIB);
    for (let response = 2; response < times; response++) {
      jest.advanceTimersByTime(0.75 * deadlineMs);
      await readOn(client, LARGE);
    }
    jest.advanceTimersByTime(0.75 * deadlineMs);
    expect(await connections()).toBe(1);
  });

  it('may each take no longer', async () => {
    await start({ leastRate: LARGE, quotas });
    const client = await ask(`/${LARGE}`, { times: 2 });
    await readOn(client, LARGE + MIB);
    jest.advanceTimersByTime(deadlineMs - 1);
    expect(await connections()).toBe(1);
    jest.advanceTimersByTime(1);
    await isClosed();
  });
});

it('forgets responses that wait for earlier ones when the client goes away', async () => {
  await start({ quotas: { caller: 2 * LARGE, all: 8 * LARGE } });
  const client = await ask(`/${LARGE}`, { times: 2 });
  await eventually('both to be made', async () => (await get(10, 'ada')).response.status === 429);
  client.destroy();
  await eventually('room for another one', async () => {
    return (await get(LARGE, 'ada')).response.status === 200;
  });
});

it('waits for a handler that takes its time, and closes a connection that is idle', async () => {
  await start({ stalledMs: SLOW_HANDLER_MS / 5 });
  const client = await ask('/slow');
  const text = await read(client, Infinity);
  expect(text).toMatch(/^HTTP\/1.1 200 OK.*\{"isDone":true\}$/s);
  await isClosed();
});

it('refuses reads of a caller who has too much unread, and of nobody else', async () => {
  await start({ quotas: { caller: 2 * LARGE, all: 8 * LARGE } });
  const first = await ask(`/${LARGE}`);
  const second = await ask(`/${LARGE}`);
  const refused = await eventually('the quota to be reached', async () => {
    const answer = await get(LARGE, 'ada');
    return answer.response.status === 429 && answer;
  });
  expect(JSON.parse(refused.text)).toMatchObject({
    statusCode: 429,
    message:
      'Too many responses are unread: one user or API key may have 48 MiB of them. Read them, or close their connections. Retry in 5 seconds.',
  });
  expect(refused.response.headers.get('retry-after')).toBe('5');
  expect(refused.response.headers.get('etag')).toBeNull();
  expect((await get(LARGE, 'bob')).text).toHaveLength(LARGE);
  first.destroy();
  await eventually('room for another one', async () => {
    return (await get(LARGE, 'ada')).response.status === 200;
  });
  second.destroy();
});

it('answers a write of such a caller, and closes an older response for it', async () => {
  await start({ quotas: { caller: LARGE, all: 8 * LARGE } });
  await ask(`/${LARGE}`);
  await eventually('the response to be made', async () => {
    return (await get(LARGE, 'ada')).response.status === 429;
  });
  const write = await ask(`/${LARGE}`, { method: 'POST' });
  expect(await read(write, LARGE)).toMatch(/^HTTP\/1.1 200 OK/);
});

it('closes responses of the caller who has most when all have too much together', async () => {
  await start({ quotas: { caller: 3 * LARGE, all: 3 * LARGE } });
  const most = [await ask(`/${LARGE}`, { user: 'eve' }), await ask(`/${LARGE}`, { user: 'eve' })];
  await eventually('both to be made', async () => {
    const { response } = await get(10, 'eve');
    return response.status === 200 && (await connections()) >= 2;
  });
  const less = await ask(`/${LARGE}`, { user: 'bob' });
  expect((await get(LARGE, 'ada')).text).toHaveLength(LARGE);
  expect(await read(less, LARGE)).toMatch(/^HTTP\/1.1 200 OK/);
  const rest = await Promise.all(most.map((client) => read(client, LARGE).catch(() => '')));
  expect(rest.filter((text) => text.length > LARGE)).toHaveLength(1);
});
