import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { CallerRequest } from '../../apps/api/auth/actor.decorator.js';
import { admitBodies } from '../../apps/api/bodies/body-admission.js';
import { UPLOAD_PACE } from '../../apps/api/bodies/upload-pace.js';
import { errorBody } from '../../apps/api/http/error.filter.js';
import { eventually } from '../support/eventually.js';
import { RawConnection } from '../support/raw-http.js';

const KIB = 1024;
// All large bodies together have four of these, the small ones one.
const LARGEST = 256 * KIB;
const SMALL = 4 * KIB;
const MOST_SMALL = 16;
const GRACE_MS = 300;

let fastify: FastifyInstance;
let url: string;
/** Requests that wait before their bodies are admitted, as for the lookup of an API key. */
let arrived: (() => void)[];
/** Requests whose bodies have been read. */
let handled: (() => void)[];
let isHolding: boolean;
/** The server's ends of the connections. */
let sockets: Socket[];
const connections: RawConnection[] = [];

beforeEach(() => start(GRACE_MS));
afterEach(stop);

async function start(graceMs: number): Promise<void> {
  arrived = [];
  handled = [];
  isHolding = false;
  sockets = [];
  fastify = Fastify({ bodyLimit: LARGEST });
  fastify.server.on('connection', (socket: Socket) => sockets.push(socket));
  fastify.setErrorHandler((error, request, reply) => {
    const body = errorBody(error, request);
    void reply.status(body.statusCode).send(body);
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    (request as CallerRequest).user = { userId: String(request.headers['x-user']) };
    if (request.headers['x-wait'] === undefined) done();
    else arrived.push(done);
  });
  admitBodies(
    fastify,
    { MAX_BODY_BYTES: LARGEST, MAX_BATCH_BYTES: LARGEST },
    { ...UPLOAD_PACE, graceMs },
  );
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  fastify.post('/', async (request: FastifyRequest) => {
    const { length } = request.body as Buffer;
    if (isHolding) await new Promise<void>((resolve) => handled.push(resolve));
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

/** Sends the head of a request and the first `sent` bytes of its body. */
async function begin(bytes: number | 'chunked', sent: number, ...headers: string[]) {
  const connection = await RawConnection.open(url);
  connections.push(connection);
  const length = bytes === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${bytes}`;
  const head = ['POST / HTTP/1.1', 'content-type: text/plain', length, ...headers];
  if (!headers.some((header) => header.startsWith('x-user'))) head.push('x-user: ada');
  connection.send(head, 'x'.repeat(sent));
  return connection;
}

/** Sends all of a body, and gives the status of the response. */
async function post(bytes: number, user = 'ada'): Promise<number> {
  const body = Buffer.alloc(bytes, 'x');
  const headers = { 'x-user': user, 'content-type': 'text/plain' };
  const response = await fetch(url, { method: 'POST', headers, body });
  await response.arrayBuffer();
  return response.status;
}

describe('a body that arrives too slowly', () => {
  it.each([
    ['the rest of a large body', LARGEST, 1, LARGEST],
    ['a small body', SMALL, 0, SMALL],
    ['the first chunk', 'chunked' as const, 0, LARGEST],
  ])('is refused with 408, and its room is free at once: %s', async (_what, bytes, sent, size) => {
    // All that one caller may have, so that the next body has to wait for them.
    const times = bytes === SMALL ? MOST_SMALL : 1;
    const slow = await Promise.all(Array.from({ length: times }, () => begin(bytes, sent)));
    const next = post(size);
    for (const connection of slow) expect(await connection.responses(1)).toEqual([408]);
    expect(await next).toBe(200);
    for (const { text } of slow) {
      expect(text).toMatch(/^connection: close\r$/im);
      expect(text).toContain('"code":"timeout"');
    }
    await eventually('the end', () => slow.every(({ isClosed }) => isClosed));
  });

  it('is refused though a byte comes now and then', async () => {
    const slow = await begin(LARGEST, 1);
    const trickle = setInterval(() => slow.socket.write('x'), 20);
    expect(await slow.responses(1)).toEqual([408]);
    clearInterval(trickle);
    expect(await post(LARGEST)).toBe(200);
  });

  it('is not read on while earlier responses of its connection are under way', async () => {
    isHolding = true;
    const connection = await begin(SMALL, SMALL);
    await eventually('the first request', () => handled.length === 1);
    const length = `content-length: ${LARGEST}`;
    connection.send(['POST / HTTP/1.1', 'content-type: a/b', length, 'x-user: ada', 'x-wait: yes']);
    await eventually('the second request', () => arrived.length === 1);
    arrived[0]?.();
    isHolding = false;
    // Ada's whole share is free again, before any response.
    expect(await post(LARGEST)).toBe(200);
    expect(connection.statuses).toEqual([]);
    connection.socket.write('x'.repeat(LARGEST));
    // Meanwhile the API would read it.
    for (let turns = 0; turns < 10; turns++) expect(await post(SMALL)).toBe(200);
    handled[0]?.();
    expect(await connection.responses(2)).toEqual([200, 408]);
    await eventually('the end', () => connection.isClosed);
    expect(sockets[0]?.bytesRead).toBeLessThan(LARGEST);
  });
});

it('a body that keeps the pace may take much longer than the grace', async () => {
  const steady = await begin(LARGEST, 0);
  const begun = Date.now();
  let sent = 0;
  const timer = setInterval(() => {
    const part = Math.min(4 * KIB, LARGEST - sent);
    steady.socket.write('x'.repeat(part));
    sent += part;
    if (sent === LARGEST) clearInterval(timer);
  }, 20);
  expect(await steady.responses(1)).toEqual([200]);
  expect(Date.now() - begun).toBeGreaterThan(2 * GRACE_MS);
});

describe('a client that goes away', () => {
  // Were its room not free, the next body would have to wait for longer than it may.
  beforeEach(async () => {
    await stop();
    await start(60_000);
  });

  it('before its body is admitted holds nothing', async () => {
    const gone = await begin(LARGEST, 1, 'x-wait: yes');
    await eventually('the request', () => arrived.length === 1);
    gone.close();
    await eventually('its end', async () => (await count()) === 0);
    arrived[0]?.();
    expect(await post(LARGEST)).toBe(200);
  });

  it.each([
    ['while its body arrives', 1],
    ['while its request is handled', LARGEST],
  ])('%s holds nothing in the end', async (_what, sent) => {
    isHolding = true;
    const gone = await begin(LARGEST, sent);
    if (sent === LARGEST) await eventually('the request', () => handled.length === 1);
    gone.close();
    isHolding = false;
    await eventually('its end', async () => (await count()) === 0);
    handled[0]?.();
    expect(await post(LARGEST)).toBe(200);
  });
});

const count = () =>
  new Promise<number>((resolve) => {
    fastify.server.getConnections((_error, connected) => resolve(connected));
  });

describe('small bodies', () => {
  it('do not wait for large ones, also of the same caller', async () => {
    isHolding = true;
    for (const user of ['ada', 'bob', 'eve']) await begin(LARGEST, LARGEST, `x-user: ${user}`);
    await eventually('the large ones', () => handled.length === 3);
    isHolding = false;
    expect(await post(SMALL, 'ada')).toBe(200);
    expect(await post(SMALL, 'fay')).toBe(200);
    for (const respond of handled) respond();
  });

  it('are bounded in total: the last quarter is for callers that hold none', async () => {
    isHolding = true;
    const callers = ['ada', 'bob', 'eve', 'fay', 'gus'];
    for (const user of callers) {
      for (let sent = 0; sent < 20; sent++) await begin(SMALL, SMALL, `x-user: ${user}`);
    }
    // 16 of the first three each; then one of each.
    await eventually('those that have room', () => handled.length === 50);
    expect(connections.flatMap(({ statuses }) => statuses)).toEqual([]);
    // All are handled in the end.
    isHolding = false;
    for (const respond of handled) respond();
    await eventually('all', () => connections.every(({ statuses }) => statuses[0] === 200));
  });
});
