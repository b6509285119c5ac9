import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { buildConnector, Pool } from 'undici';
import { OriginConnections } from './origin-connections.js';

const MOST = 20;
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

const toServer = () =>
  new OriginConnections(
    (_origin, connect) => new Pool(`http://127.0.0.1:${port}`, { connect }),
    buildConnector({}),
    MOST,
  );

async function request(origins: OriginConnections, name: string): Promise<number> {
  const origin = `http://${name}.example:${port}`;
  const { dispatcher, release } = origins.acquire(origin);
  const response = await dispatcher.request({ origin, path: '/', method: 'POST' });
  await response.body.dump();
  release();
  return response.statusCode;
}

it('any number of origins gets through, and few connections stay open', async () => {
  const origins = toServer();
  for (let at = 0; at < ORIGINS; at++) {
    expect(await request(origins, `receiver-${at}`)).toBe(204);
    // Two more: a connection that is being closed counts until it is.
    expect(origins.openSockets).toBeLessThanOrEqual(MOST + 2);
  }
  await origins.close();
});

it('the connection to an origin that is used stays', async () => {
  const origins = toServer();
  await request(origins, 'often');
  const before = connections;
  for (let at = 0; at < ORIGINS; at++) {
    await request(origins, `seldom-${at}`);
    if (at % (MOST / 4) === 0) await request(origins, 'often');
  }
  expect(connections).toBe(before + ORIGINS);
  await origins.close();
});

it('origins with a request under way are not closed, however many there are', async () => {
  const origins = toServer();
  const names = Array.from({ length: 4 * MOST }, (_, at) => `busy-${at}`);
  expect(new Set(await Promise.all(names.map((name) => request(origins, name))))).toEqual(
    new Set([204]),
  );
  await origins.close();
});
