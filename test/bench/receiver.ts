import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import type { Arrivals } from './arrivals.js';
import { now } from './clock.js';

/**
 * A subscriber's receiver in a separate process: responds with 204 and stores when the first byte of each
 * notification arrived. `GET /` returns the arrivals since the last such request. `/hang` never responds,
 * `/fail` responds with 500, `/flood` sends 103 without end.
 */
let arrivals: Arrivals = [];
const TEMPLATE_ID = /"data":\{"id":"([^"]+)"/;

const INFORMATIONAL = 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n'.repeat(1_000);

function flood(socket: Socket): void {
  socket.on('error', () => undefined);
  const more = () => {
    if (socket.writable) socket.write(INFORMATIONAL, () => setImmediate(more));
  };
  more();
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify(request.url === '/count' ? arrivals.length : arrivals));
    if (request.url === '/') arrivals = [];
    return;
  }
  if (request.url?.startsWith('/hang')) return;
  if (request.url?.startsWith('/fail')) {
    response.writeHead(500).end();
    return;
  }
  if (request.url?.startsWith('/flood')) {
    flood(request.socket);
    return;
  }
  const at = now();
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    response.writeHead(204).end();
    arrivals.push([TEMPLATE_ID.exec(body)?.[1] ?? '', at]);
  });
});
// Like many receivers, this one keeps connections for longer than clients do by default.
server.keepAliveTimeout = 65_000;
server.listen(Number(process.env['PORT']), '127.0.0.1');
