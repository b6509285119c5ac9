import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import {
  createServer as createNetServer,
  type AddressInfo,
  type Server as NetServer,
} from 'node:net';
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
      const writeMore = () => {
        while (response.write(chunk));
      };
      response.on('drain', writeMore);
      writeMore();
    } else if (request.url === '/informational') {
      const { socket } = request;
      socket.on('error', () => undefined);
      const writeMore = () => {
        if (!socket.destroyed)
          socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100), writeMore);
      };
      writeMore();
    } else if (request.url === '/few-informational') {
      for (let count = 0; count < 5; count++)
        response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.writeHead(204).end();
    } else if (request.url?.startsWith('/busy/')) {
      response.writeHead(Number(request.url.slice('/busy/'.length)), { 'retry-after': '7' }).end();
    } else if (request.url === '/never') {
      response.on('error', () => undefined);
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

const createSender = (allowedRanges: string[], allowedPorts: number[] = []) =>
  new Sender({ allowedRanges, allowedPorts });

describe('the sender', () => {
  it('connects neither to a refused address nor to a name that resolves to one', async () => {
    const sender = createSender([]);
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost']) {
      const result = await sender.send(`http://${host}:${port}/`, '{}', {});
      expect(result).toMatchObject({ ok: false, statusCode: null });
      expect(result.error).toContain('is not a public address');
    }
    expect(connections).toBe(0);
    await sender.onApplicationShutdown();
  });

  it('reaches addresses that the operator allows', async () => {
    const sender = createSender(['127.0.0.0/8']);
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

  it('reports an unknown host name', async () => {
    const sender = createSender([]);
    const result = await sender.send('http://nowhere.invalid/', '{}', {});
    expect(result).toMatchObject({ ok: false, statusCode: null });
    expect(result.error).toContain('nowhere.invalid');
    await sender.onApplicationShutdown();
  });

  it('explains in plain words that a response is not HTTP', async () => {
    const sender = createSender(['127.0.0.0/8']);
    const result = await sender.send(`http://127.0.0.1:${port}/no-status`, '{}', {});
    expect(result).toMatchObject({
      ok: false,
      error: 'the response is not valid HTTP (ERR_ASSERTION)',
    });
    await sender.onApplicationShutdown();
  });

  it.each([
    [429, 7_000],
    [503, 7_000],
    [500, undefined],
    [408, undefined],
    [200, undefined],
  ])('with the status %i, returns a Retry-After of 7 s as %p ms', async (status, expected) => {
    const sender = createSender(['127.0.0.0/8']);
    const result = await sender.send(`http://127.0.0.1:${port}/busy/${status}`, '{}', {});
    expect([result.statusCode, result.retryAfterMs]).toEqual([status, expected]);
    await sender.onApplicationShutdown();
  });

  it.each([
    ['does not end', 'endless', { ok: true, statusCode: 200 }],
    ['never arrives', 'silent', { ok: false, statusCode: 410, stage: 'status' }],
  ])('uses the status of a response whose body %s', async (_what, path, expected) => {
    const sender = createSender(['127.0.0.0/8']);
    const result = await sender.send(`http://127.0.0.1:${port}/${path}`, '{}', {});
    expect(result).toMatchObject(expected);
    await sender.onApplicationShutdown();
  });
});

describe('the sender, with and without a proxy', () => {
  let proxy: NetServer;
  let proxyUrl: string;
  let proxyConnections = 0;

  beforeAll(async () => {
    proxy = createNetServer((socket) => {
      proxyConnections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    proxy.close();
  });

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '127.0.0.1.',
    '0',
    '127.0.0.1..',
    '10.0.0.1..',
    '169.254.169.254',
    'localhost',
    'localhost.',
    'localhost..',
    'LOCALHOST',
    'a.localhost',
    'a..localhost',
    '.localhost',
    '１２７.0.0.1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::a00:1]',
    '[fd12::1]',
  ])('sends nothing to the proxy if the host is %s', async (host) => {
    const sender = new Sender({ allowedRanges: [], allowedPorts: [], proxyUrl });
    for (const scheme of ['http', 'https']) {
      const result = await sender.send(`${scheme}://${host}/`, '{}', {});
      expect(result).toMatchObject({ ok: false, statusCode: null, stage: 'dns' });
      expect(result.error).toMatch(/is not a (public address|valid host name)$/);
    }
    expect(proxyConnections).toBe(0);
    await sender.onApplicationShutdown();
  });

  it('refuses ports that the operator does not allow, with and without a proxy', async () => {
    for (const proxyOptions of [{ proxyUrl }, {}]) {
      const sender = new Sender({
        allowedRanges: ['127.0.0.0/8'],
        allowedPorts: [443, 8443],
        ...proxyOptions,
      });
      for (const url of ['http://example.com/', 'https://example.com:22/', `${proxyUrl}/`]) {
        expect(await sender.send(url, '{}', {})).toMatchObject({
          stage: 'connect',
          error: 'the operator allows only the ports 443, 8443',
        });
      }
      await sender.onApplicationShutdown();
    }
    expect(proxyConnections).toBe(0);
  });

  it('sends the request for a URL in an allowed range to the proxy', async () => {
    const sender = new Sender({ allowedRanges: ['10.0.0.0/8'], allowedPorts: [], proxyUrl });
    const result = await sender.send('https://10.0.0.1/', '{}', {});
    expect(result.error).toBe("the operator's proxy closed the connection (UND_ERR_PRX_CONN)");
    expect(proxyConnections).toBeGreaterThan(0);
    await sender.onApplicationShutdown();
  });

  it.each(['http', 'https'])(
    'reports an unreachable proxy as a local problem for %s://',
    async (scheme) => {
      const server = createNetServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port: closedPort } = server.address() as AddressInfo;
      server.close();
      await once(server, 'close');
      const sender = new Sender({
        allowedRanges: [],
        allowedPorts: [],
        proxyUrl: `http://127.0.0.1:${closedPort}`,
      });
      const reason =
        "the operator's proxy cannot be reached: the connection was refused (ECONNREFUSED)";
      expect(await sender.send(`${scheme}://example.com/`, '{}', {})).toMatchObject({
        ok: false,
        error: reason,
        localProblem: { reason, affectsAllEndpoints: true },
      });
      expect(await sender.findProblem()).toContain('WEBHOOK_PROXY_URL');
      await sender.onApplicationShutdown();
    },
  );

  it('reports a proxy that refuses the credentials as a local problem', async () => {
    const server = createServer();
    server.on('connect', (_request, socket) => {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port: proxyPort } = server.address() as AddressInfo;
    const sender = new Sender({
      allowedRanges: [],
      allowedPorts: [],
      proxyUrl: `http://127.0.0.1:${proxyPort}`,
    });
    expect(await sender.findProblem()).toBeUndefined();
    expect(await sender.send('https://example.com/', '{}', {})).toMatchObject({
      localProblem: { reason: "the operator's proxy refused the credentials (407)" },
    });
    await sender.onApplicationShutdown();
    server.close();
  });

  it('ends an attempt after too many informational responses', async () => {
    const sender = createSender(['127.0.0.0/8']);
    const send = (path: string) => sender.send(`http://127.0.0.1:${port}/${path}`, '{}', {});
    expect(await send('few-informational')).toMatchObject({ ok: true, statusCode: 204 });
    const result = await send('informational');
    expect(result).toMatchObject({ ok: false, statusCode: null, stage: 'first-byte' });
    expect(result.error).toContain('informational responses');
    await sender.onApplicationShutdown();
  });

  it('keeps connections alive after thousands of failed requests', async () => {
    const sender = createSender(['127.0.0.0/8']);
    // These are more origins than a process keeps open. Idle origins are closed to make room for new ones.
    const refused = Array.from({ length: 2_500 }, (_, index) =>
      sender.send(`http://10.0.${index >> 8}.${index & 255}/`, '{}', {}),
    );
    for (const { ok } of await Promise.all(refused)) expect(ok).toBe(false);
    const connectionsBefore = connections;
    for (const host of ['127.0.0.1', 'localhost', '127.0.0.1', 'localhost']) {
      const { ok } = await sender.send(`http://${host}:${port}/`, '{}', {});
      expect(ok).toBe(true);
    }
    expect(connections).toBe(connectionsBefore + 2);
    await sender.onApplicationShutdown();
  });

  it('closes the connection of an aborted attempt', async () => {
    const sender = createSender(['127.0.0.0/8']);
    const connectionsBefore = connections;
    const closed = new Promise((resolve) => {
      server.once('connection', (socket) => socket.once('close', resolve));
    });
    const abortController = new AbortController();
    const sending = sender.send(`http://127.0.0.1:${port}/never`, '{}', {}, abortController.signal);
    await new Promise((resolve) => server.once('request', resolve));
    abortController.abort();
    expect(await sending).toMatchObject({
      ok: false,
      error: expect.stringContaining('was deleted'),
    });
    await closed;
    expect(connections).toBe(connectionsBefore + 1);
    await sender.onApplicationShutdown();
  });
});
