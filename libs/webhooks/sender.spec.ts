import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Sender } from './sender.js';

let server: Server;
let port: number;
let requests = 0;
let connections = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests++;
    if (request.url === '/no-status') {
      request.socket.end('HTTP/1.1 099 Odd\r\n\r\n');
    } else if (request.url === '/endless') {
      const chunk = Buffer.alloc(64 * 1024);
      const more = () => {
        while (response.write(chunk));
      };
      response.on('drain', more);
      more();
    } else if (request.url === '/silent') {
      response.writeHead(410, { 'content-length': 10 }).flushHeaders();
    } else {
      response.writeHead(200).end('ok');
    }
  });
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const senderWith = (allowedRanges: string[]) => new Sender({ allowedRanges });

describe('the sender', () => {
  it('never connects to a refused address, be it written out or behind a name', async () => {
    const sender = senderWith([]);
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost']) {
      const result = await sender.send(`http://${host}:${port}/`, '{}', {});
      expect(result).toMatchObject({ ok: false, statusCode: null });
      expect(result.error).toContain('is not a public address');
    }
    expect(connections).toBe(0);
    await sender.onApplicationShutdown();
  });

  it('reaches what the operator allows', async () => {
    const sender = senderWith(['127.0.0.0/8']);
    const result = await sender.send(`http://localhost:${port}/`, '{}', {});
    expect(result).toMatchObject({
      ok: true,
      statusCode: 200,
      stage: null,
      error: null,
      responseBody: 'ok',
    });
    expect(requests).toBe(1);
    await sender.onApplicationShutdown();
  });

  it('says what is wrong with a name that is not known', async () => {
    const sender = senderWith([]);
    const result = await sender.send('http://nowhere.invalid/', '{}', {});
    expect(result).toMatchObject({ ok: false, statusCode: null });
    expect(result.error).toContain('nowhere.invalid');
    await sender.onApplicationShutdown();
  });

  it('says in plain words that an answer is not HTTP', async () => {
    const sender = senderWith(['127.0.0.0/8']);
    const result = await sender.send(`http://127.0.0.1:${port}/no-status`, '{}', {});
    expect(result).toMatchObject({ ok: false, error: 'the answer is not HTTP' });
    await sender.onApplicationShutdown();
  });

  it.each([
    ['does not end', 'endless', { ok: true, statusCode: 200 }],
    ['does not come after its headers', 'silent', { ok: false, statusCode: 410, stage: 'status' }],
  ])('takes the status of an answer whose body %s', async (_what, path, expected) => {
    const sender = senderWith(['127.0.0.0/8']);
    const result = await sender.send(`http://127.0.0.1:${port}/${path}`, '{}', {});
    expect(result).toMatchObject(expected);
    await sender.onApplicationShutdown();
  });
});
