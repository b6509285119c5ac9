import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { fastify } from 'fastify';
import { collectChunks } from './body-bytes.js';

const KIB = 1024;

const server = fastify({ bodyLimit: 1024 * KIB });
let pauses = 0;

beforeAll(async () => {
  server.addContentTypeParser('application/octet-stream', (received, _payload, done) => {
    pauses = 0;
    jest.spyOn(received.raw, 'pause').mockImplementation(function (this: IncomingMessage) {
      pauses++;
      return Readable.prototype.pause.call(this) as IncomingMessage;
    });
    collectChunks(received, (error, chunks) => done(error ?? null, Buffer.concat(chunks)));
  });
  server.post('/', ({ body }) => ({ bytes: (body as Buffer).length }));
  await server.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => server.close());

it.each([128, 64 * KIB])(
  'reading a body in chunks of %i bytes pauses after every 64 KiB',
  async (chunkBytes) => {
    const { port } = server.server.address() as AddressInfo;
    const headers = { 'content-type': 'application/octet-stream' };
    const sent = request({ host: '127.0.0.1', port, method: 'POST', path: '/', headers });
    const answered = once(sent, 'response');
    for (let bytes = 0; bytes < 512 * KIB; bytes += chunkBytes)
      sent.write(Buffer.alloc(chunkBytes));
    sent.end();
    const [response] = (await answered) as [NodeJS.ReadableStream & { statusCode: number }];
    response.resume();
    expect(response.statusCode).toBe(200);
    expect(pauses).toBeGreaterThanOrEqual(4);
    expect(pauses).toBeLessThanOrEqual(8);
  },
);
