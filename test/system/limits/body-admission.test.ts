import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { CallerRequest } from '../../../apps/api/http/caller.js';
import { admitBodies } from '../../../apps/api/bodies/body-admission.js';
import { MIN_UPLOAD_RATE } from '../../../apps/api/bodies/min-upload-rate.js';
import { errorBody } from '../../../apps/api/http/error.filter.js';
import { eventually } from '../../support/eventually.js';
import { RawConnection } from '../../support/requests/raw-connection.js';

const KIB = 1024;
// The budget of large bodies is four times this size, and the budget of small bodies is this size.
const MAX_BODY_BYTES = 256 * KIB;
const SMALL_BODY_BYTES = 4 * KIB;
const MAX_SMALL_BODIES = 16;
const GRACE_MS = 300;

let fastify: FastifyInstance;
let url: string;
/**
 * Each request with `x-wait` adds a function. Galley admits the body of the request when the test calls the
 * function. This imitates a request that waits until Galley has looked up its API key.
 */
let admitWaiting: (() => void)[];
/**
 * One function for each request whose body has been read. The response is sent when the function is called.
 */
let finishHandled: (() => void)[];
let isHandlerHeld: boolean;
/** The server's ends of the connections. */
let sockets: Socket[];
const connections: RawConnection[] = [];

beforeEach(() => start(GRACE_MS));
afterEach(stop);

async function start(graceMs: number): Promise<void> {
  admitWaiting = [];
  finishHandled = [];
  isHandlerHeld = false;
  sockets = [];
  fastify = Fastify({ bodyLimit: MAX_BODY_BYTES });
  fastify.server.on('connection', (socket: Socket) => sockets.push(socket));
  fastify.setErrorHandler((error, request, reply) => {
    const body = errorBody(error, request);
    void reply.status(body.statusCode).send(body);
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    (request as CallerRequest).user = { userId: String(request.headers['x-user']) };
    if (request.headers['x-wait'] === undefined) done();
    else admitWaiting.push(done);
  });
  admitBodies(
    fastify,
    { MAX_BODY_BYTES, MAX_BATCH_BYTES: MAX_BODY_BYTES },
    { ...MIN_UPLOAD_RATE, graceMs },
  );
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  fastify.post('/', async (request: FastifyRequest) => {
    const { length } = request.body as Buffer;
    if (isHandlerHeld) await new Promise<void>((resolve) => finishHandled.push(resolve));
    return { length };
  });
  await fastify.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}`;
}

async function stop(): Promise<void> {
  for (const connection of connections.splice(0)) connection.close();
  fastify.server.closeAllConnections();
  await fastify.close();
}

/** Sends the head of a request and the first `sentBytes` bytes of its body. */
async function beginRequest(bytes: number | 'chunked', sentBytes: number, ...headers: string[]) {
  const connection = await RawConnection.open(url);
  connections.push(connection);
  const length = bytes === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${bytes}`;
  const head = ['POST / HTTP/1.1', 'content-type: text/plain', length, ...headers];
  if (!headers.some((header) => header.startsWith('x-user'))) head.push('x-user: ada');
  connection.send(head, 'x'.repeat(sentBytes));
  return connection;
}

/** Sends a whole body, and returns the status of the response. */
async function post(bytes: number, user = 'ada'): Promise<number> {
  const body = Buffer.alloc(bytes, 'x');
  const headers = { 'x-user': user, 'content-type': 'text/plain' };
  const response = await fetch(url, { method: 'POST', headers, body });
  await response.arrayBuffer();
  return response.status;
}

describe('a body that arrives too slowly', () => {
  it.each([
    ['the rest of a large body', MAX_BODY_BYTES, 1, MAX_BODY_BYTES],
    ['a small body', SMALL_BODY_BYTES, 0, SMALL_BODY_BYTES],
    ['the first chunk', 'chunked' as const, 0, MAX_BODY_BYTES],
  ])(
    'is refused with 408, and its bytes are released at once: %s',
    async (_title, bytes, sent, size) => {
      // Uses up one caller's share, so that the caller's next body has to wait.
      const requestCount = bytes === SMALL_BODY_BYTES ? MAX_SMALL_BODIES : 1;
      const slowConnections = await Promise.all(
        Array.from({ length: requestCount }, () => beginRequest(bytes, sent)),
      );
      const nextStatus = post(size);
      for (const connection of slowConnections)
        expect(await connection.responses(1)).toEqual([408]);
      expect(await nextStatus).toBe(200);
      for (const { text } of slowConnections) {
        expect(text).toMatch(/^connection: close\r$/im);
        expect(text).toContain('"code":"timeout"');
      }
      await eventually('the end of the connection', () =>
        slowConnections.every(({ isClosed }) => isClosed),
      );
    },
  );

  it('is refused even if a byte arrives now and then', async () => {
    const slowConnection = await beginRequest(MAX_BODY_BYTES, 1);
    const trickleTimer = setInterval(() => slowConnection.socket.write('x'), 20);
    expect(await slowConnection.responses(1)).toEqual([408]);
    clearInterval(trickleTimer);
    expect(await post(MAX_BODY_BYTES)).toBe(200);
  });

  it('is not read while earlier responses of its connection are pending', async () => {
    isHandlerHeld = true;
    const connection = await beginRequest(SMALL_BODY_BYTES, SMALL_BODY_BYTES);
    await eventually('the first request', () => finishHandled.length === 1);
    const length = `content-length: ${MAX_BODY_BYTES}`;
    connection.send(['POST / HTTP/1.1', 'content-type: a/b', length, 'x-user: ada', 'x-wait: yes']);
    await eventually('the second request', () => admitWaiting.length === 1);
    admitWaiting[0]?.();
    isHandlerHeld = false;
    // Ada's whole share is free again, although neither request has got a response.
    expect(await post(MAX_BODY_BYTES)).toBe(200);
    expect(connection.statuses).toEqual([]);
    connection.socket.write('x'.repeat(MAX_BODY_BYTES));
    // If the body were admitted, the API would read the body during these requests.
    for (let posted = 0; posted < 10; posted++) expect(await post(SMALL_BODY_BYTES)).toBe(200);
    finishHandled[0]?.();
    expect(await connection.responses(2)).toEqual([200, 408]);
    await eventually('the end of the connection', () => connection.isClosed);
    expect(sockets[0]?.bytesRead).toBeLessThan(MAX_BODY_BYTES);
  });
});

it('a body that keeps the required pace may take much longer than the grace period', async () => {
  const steadyConnection = await beginRequest(MAX_BODY_BYTES, 0);
  const startedAt = Date.now();
  let sentBytes = 0;
  const timer = setInterval(() => {
    const chunkSize = Math.min(4 * KIB, MAX_BODY_BYTES - sentBytes);
    steadyConnection.socket.write('x'.repeat(chunkSize));
    sentBytes += chunkSize;
    if (sentBytes === MAX_BODY_BYTES) clearInterval(timer);
  }, 20);
  expect(await steadyConnection.responses(1)).toEqual([200]);
  expect(Date.now() - startedAt).toBeGreaterThan(2 * GRACE_MS);
});

describe('a client that disconnects', () => {
  // Each test needs the whole budget: if bytes of an earlier test were still taken, the next body would
  // wait for longer than it may.
  beforeEach(async () => {
    await stop();
    await start(60_000);
  });

  it('before its body is admitted reserves nothing', async () => {
    const abandonedConnection = await beginRequest(MAX_BODY_BYTES, 1, 'x-wait: yes');
    await eventually('the request', () => admitWaiting.length === 1);
    abandonedConnection.close();
    await eventually('the end of the request', async () => (await countConnections()) === 0);
    admitWaiting[0]?.();
    expect(await post(MAX_BODY_BYTES)).toBe(200);
  });

  it.each([
    ['while its body arrives', 1],
    ['while its request is handled', MAX_BODY_BYTES],
  ])('%s reserves nothing in the end', async (_title, sentBytes) => {
    isHandlerHeld = true;
    const abandonedConnection = await beginRequest(MAX_BODY_BYTES, sentBytes);
    if (sentBytes === MAX_BODY_BYTES)
      await eventually('the request', () => finishHandled.length === 1);
    abandonedConnection.close();
    isHandlerHeld = false;
    await eventually('the end of the request', async () => (await countConnections()) === 0);
    finishHandled[0]?.();
    expect(await post(MAX_BODY_BYTES)).toBe(200);
  });
});

const countConnections = () =>
  new Promise<number>((resolve) => {
    fastify.server.getConnections((_error, connectionCount) => resolve(connectionCount));
  });

describe('small bodies', () => {
  it('do not wait for large ones, even of the same caller', async () => {
    isHandlerHeld = true;
    for (const user of ['ada', 'bob', 'eve'])
      await beginRequest(MAX_BODY_BYTES, MAX_BODY_BYTES, `x-user: ${user}`);
    await eventually('the large ones', () => finishHandled.length === 3);
    isHandlerHeld = false;
    expect(await post(SMALL_BODY_BYTES, 'ada')).toBe(200);
    expect(await post(SMALL_BODY_BYTES, 'fay')).toBe(200);
    for (const respond of finishHandled) respond();
  });

  it('are limited in total: the last quarter is for callers that hold none', async () => {
    isHandlerHeld = true;
    const callers = ['ada', 'bob', 'eve', 'fay', 'gus'];
    for (const user of callers) {
      for (let sent = 0; sent < 20; sent++)
        await beginRequest(SMALL_BODY_BYTES, SMALL_BODY_BYTES, `x-user: ${user}`);
    }
    // 16 requests of each of the first three callers are admitted, and one request of each of the last two.
    await eventually('the admitted requests', () => finishHandled.length === 50);
    expect(connections.flatMap(({ statuses }) => statuses)).toEqual([]);
    // All requests are handled in the end.
    isHandlerHeld = false;
    for (const respond of finishHandled) respond();
    await eventually('all', () => connections.every(({ statuses }) => statuses[0] === 200));
  });
});
