import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { buildConnector, Pool } from 'undici';
import { OriginConnections } from './origin-connections.js';

const MAX_SOCKETS = 20;
const ORIGINS = 200;

let server: Server;
let port: number;
let open = 0;
let connections = 0;

beforeAll(async () => {
  server = createServer((_request, response) => response.writeHead(204).end());
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => {
    open++;
    connections++;
    socket.once('close', () => open--);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const createConnections = () =>
  new OriginConnections(
    (_origin, connect) => new Pool(`http://127.0.0.1:${port}`, { connect }),
    buildConnector({}),
    MAX_SOCKETS,
  );

async function request(originConnections: OriginConnections, name: string): Promise<number> {
  const origin = `http://${name}.example:${port}`;
  const { dispatcher, release } = originConnections.acquire(origin);
  const response = await dispatcher.request({ origin, path: '/', method: 'POST' });
  await response.body.dump();
  release();
  return response.statusCode;
}

it('requests to any number of origins succeed, and few connections stay open', async () => {
  const origins = createConnections();
  for (let index = 0; index < ORIGINS; index++) {
    expect(await request(origins, `receiver-${index}`)).toBe(204);
    // Two sockets above the limit are allowed, because a connection counts until it is completely closed.
    expect(origins.openSockets).toBeLessThanOrEqual(MAX_SOCKETS + 2);
  }
  await origins.close();
});

it('the connection to a frequently used origin stays open', async () => {
  const origins = createConnections();
  await request(origins, 'often');
  const connectionsBefore = connections;
  for (let index = 0; index < ORIGINS; index++) {
    await request(origins, `seldom-${index}`);
    if (index % (MAX_SOCKETS / 4) === 0) await request(origins, 'often');
  }
  expect(connections).toBe(connectionsBefore + ORIGINS);
  await origins.close();
});

it('origins with a request in flight are not closed, however many there are', async () => {
  const origins = createConnections();
  const names = Array.from({ length: 4 * MAX_SOCKETS }, (_, index) => `busy-${index}`);
  expect(new Set(await Promise.all(names.map((name) => request(origins, name))))).toEqual(
    new Set([204]),
  );
  await origins.close();
});
