import { once } from 'node:events';
import { request, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestByTls } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { probePort } from '../../../apps/standalone/ports.js';
import { kinds, sendBatch } from '../../support/api/batches.js';
import { Client } from '../../support/api/client.js';
import { readRateLimits } from '../../support/api/rate-limit-headers.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { eventually } from '../../support/eventually.js';
import { hasNginx, Nginx } from '../../support/network/nginx.js';
import { Program } from '../../support/processes/program.js';

const API = join(import.meta.dirname, '../../../dist/apps/api/main.js');
// A request is given back after 0.2 s, which is longer than two requests take.
const IP_LIMIT = 300;

let galley: Galley;
let ports: number[];
let apis: Program[] = [];
let nginx: Nginx;
let ada: Client;
let workspaceId: string;

/** Starts an API on the database of `galley`, and waits until it is ready. */
async function startApi(port: number): Promise<Program> {
  const environment = {
    ...galley.environment,
    PORT: String(port),
    // nginx, and not the callers, who have other addresses of this machine.
    TRUSTED_PROXIES: '127.0.0.1',
    RATE_LIMIT_ADDRESS: String(IP_LIMIT),
  };
  const api = new Program(process.execPath, [API], environment);
  await eventually(`the API at port ${port}`, async () => {
    if (api.child.exitCode !== null) throw new Error(api.output);
    const health = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
    return health?.status === 200;
  });
  return api;
}

/** Sends a request of ada from an address of this machine. */
async function sendFrom(
  localAddress: string,
  path: string,
  options: Omit<RequestOptions, 'headers'> & {
    headers?: Record<string, string>;
    body?: string;
  } = {},
) {
  const { headers, body: content, ...others } = options;
  const send = options.protocol === 'https:' ? requestByTls : request;
  const outgoing = send(new URL(path, options.protocol ? nginx.tlsUrl : nginx.url), {
    ...others,
    localAddress,
    agent: false,
    headers: { authorization: `Bearer ${ada.token ?? ''}`, ...headers },
  }).end(content);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const body: unknown = JSON.parse(await text(response));
  return { status: response.statusCode, headers: new Headers(response.headers as never), body };
}

(hasNginx ? describe : describe.skip)('nginx in front of two APIs', () => {
  beforeAll(async () => {
    galley = await startGalley();
    ports = [await probePort(0), await probePort(0)];
    apis = await Promise.all(ports.map(startApi));
    nginx = await Nginx.start(ports);
    ada = new Client(nginx.url, await galley.issuer.token('ada'));
    workspaceId = (await ada.post<{ id: string }>('/api/workspaces', { name: 'Kitchen' })).body.id;
  });
  afterAll(async () => {
    for (const api of apis) api.killGroup();
    await nginx.stop();
    await galley.stop();
  });

  it('passes a batch of almost 16 MiB, and refuses larger bodies as the API does', async () => {
    const content = { text: 'x'.repeat(1_000_000) };
    const batchOf = (length: number) =>
      Array.from({ length }, () => ({ action: 'create', name: 'A', content }));
    const [kind] = kinds as [(typeof kinds)[0]];
    const batch = await sendBatch(ada, kind, workspaceId, batchOf(16));
    expect([batch.status, batch.body.data.length]).toEqual([200, 16]);
    const refused = await sendBatch(ada, kind, workspaceId, batchOf(17));
    expect([refused.status, refused.body]).toMatchObject([413, { code: 'too_large' }]);
    const large = await ada.post('/api/templates', {
      workspaceId,
      name: 'A',
      content,
      more: content,
    });
    expect([large.status, large.body]).toMatchObject([413, { code: 'too_large' }]);
  });

  it('tells the API the address of the caller, whatever the caller claims', async () => {
    const path = `/api/workspaces/${workspaceId}`;
    // Without Redis, each of the two APIs counts alone, so one of them gets two of three requests.
    const remaining: number[] = [];
    for (const host of [7, 8, 9]) {
      const claim = { headers: { 'x-forwarded-for': `203.0.113.${host}` } };
      const response = await sendFrom('127.0.0.2', `${path}/audit`, claim);
      remaining.push(Number(readRateLimits(response).remaining['address']?.['r']));
    }
    expect(Math.min(...remaining)).toBeLessThan(IP_LIMIT - 1);
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const changed = await sendFrom('127.0.0.3', `${path}/keys`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'A', role: 'viewer' }),
    });
    expect(changed).toMatchObject({ status: 201 });
    const { body } = await ada.get<{ data: object[] }>(`${path}/audit`);
    expect(body.data[0]).toMatchObject({ action: 'key.created', address: '127.0.0.3' });
  });

  it('sends requests to another API while one is killed', async () => {
    const statuses: number[] = [];
    let isRunning = true;
    const callers = Array.from({ length: 4 }, async () => {
      while (isRunning) {
        // Many addresses, so that none reaches its limit.
        const address = `127.0.1.${1 + (statuses.length % 250)}`;
        const { status = 0 } = await sendFrom(address, `/api/workspaces/${workspaceId}`);
        statuses.push(status);
      }
    });
    const until = (count: number) => eventually('requests', () => statuses.length > count);
    await until(20);
    const [, killed] = apis as [Program, Program];
    killed.killGroup();
    await killed.exited;
    await until(statuses.length + 100);
    apis[1] = await startApi(ports[1] ?? 0);
    await until(statuses.length + 20);
    isRunning = false;
    await Promise.all(callers);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('terminates TLS', async () => {
    const options = { protocol: 'https:', ca: nginx.certificate, servername: 'localhost' };
    expect(await sendFrom('127.0.0.1', '/api/auth/me', options)).toMatchObject({ status: 200 });
  });

  it('logs neither paths nor tokens', async () => {
    const lines = (await nginx.readOutput()).split('\n').filter((line) => line.startsWith('{'));
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ app: 'nginx', statusCode: '200' });
    expect(lines.join('\n')).not.toMatch(/\/api|eyJ/);
  });

  it('answers with an error of Galley while no API runs', async () => {
    for (const api of apis) api.killGroup();
    await Promise.all(apis.map(({ exited }) => exited));
    const { status, headers, body } = await sendFrom('127.0.0.1', '/api/auth/me');
    expect([status, headers.get('retry-after'), headers.get('content-type'), body]).toEqual([
      503,
      '2',
      'application/json',
      {
        statusCode: 503,
        code: 'unavailable',
        message: expect.stringContaining('No API') as unknown,
      },
    ]);
    apis = await Promise.all(ports.map(startApi));
    await eventually('a response', async () => (await ada.get('/api/auth/me')).status === 200);
  });
});
