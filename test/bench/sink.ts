import { createServer } from 'node:http';
import type { Arrivals } from './arrivals.js';
import { now } from './clock.js';

/**
 * A subscriber's receiver in a process of its own: answers 204 and notes when the first byte of each
 * notification came. `GET /` tells what came since it was last asked. Below `/hang` it never answers.
 */
let arrivals: Arrivals = [];
const TEMPLATE_ID = /"data":\{"id":"([^"]+)"/;

createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify(request.url === '/count' ? arrivals.length : arrivals));
    if (request.url === '/') arrivals = [];
    return;
  }
  if (request.url?.startsWith('/hang')) return;
  const at = now();
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    response.writeHead(204).end();
    arrivals.push([TEMPLATE_ID.exec(body)?.[1] ?? '', at]);
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
