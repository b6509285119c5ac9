import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { probePort } from '../../../apps/standalone/ports.js';
import { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { clerkSender, created } from '../../support/identity/clerk.js';
import { PostgresProxy } from '../../support/network/postgres-proxy.js';
import { TcpProxy } from '../../support/network/tcp-proxy.js';
import {
  PlantedGalley,
  withCredentials,
  type Service,
} from '../../support/secrets/planted-galley.js';

const URL_TOKEN = 'token in the URL of a webhook';
const WEBHOOK_HEADER = 'header of a webhook';
const RECEIVER_COOKIE = 'cookie of a receiver';
const DOCUMENT = 'text of a document';

let planted: PlantedGalley;
let api: Service;
let urlToken: string;
let webhookHeader: string;
let receiverCookie: string;
let documentText: string;
let workspaceId: string;
let receiver: Server;
const proxyAuthorizations = new Set<string | undefined>();
let origin: string;

beforeAll(async () => {
  planted = await PlantedGalley.start();
  const { secrets } = planted;
  urlToken = secrets.plant(URL_TOKEN);
  webhookHeader = secrets.plant(WEBHOOK_HEADER);
  receiverCookie = secrets.plant(RECEIVER_COOKIE);
  documentText = secrets.plant(DOCUMENT);
  receiver = await startReceiver();
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  api = await planted.serve('api');
  planted.apiUrl = api.url;
  const { body } = await planted.call('POST', '/api/workspaces', { body: { name: 'Kitchen' } });
  workspaceId = body.id;
});
afterAll(async () => {
  await planted.close();
  receiver.closeAllConnections();
  receiver.close();
});

/**
 * A receiver, or a proxy, that responds with the status in the path of the URL, and with all that it has
 * received. Only to a request that it refuses with 407 does a proxy repeat its own password.
 */
async function startReceiver(): Promise<Server> {
  const server = createServer((request, response) => {
    const { 'proxy-authorization': proxyAuthorization, ...headers } = request.headers;
    proxyAuthorizations.add(proxyAuthorization);
    const echo = JSON.stringify([request.url, headers]);
    const [, status = ''] = /\/(\d{3})\//.exec(request.url ?? '') ?? [];
    if (status === '') request.socket.destroy();
    else if (status === '407') response.writeHead(407).end(`${proxyAuthorization} ${echo}`);
    else {
      response.setHeader('location', `https://ada:${webhookHeader}@example.com/${urlToken}`);
      response.writeHead(Number(status), { 'set-cookie': receiverCookie }).end(echo);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

const urlOf = (behaviour: string, at = origin) =>
  `${at}/${behaviour}/${urlToken}?token=${urlToken}`;

const plantSigningSecret = (secret: string) =>
  planted.secrets.plantKey('signing secret', secret.slice('whsec_'.length));

async function createWebhook(url: string): Promise<string> {
  const headers = { 'x-token': webhookHeader, authorization: `Bearer ${webhookHeader}` };
  const webhook = { workspaceId, url, headers, events: ['module.*'] };
  const { status, body } = await planted.call<{ id: string; secret: string }>(
    'POST',
    '/api/webhooks',
    { body: webhook, headers: { 'idempotency-key': randomUUID() } },
  );
  expect(status).toBe(201);
  plantSigningSecret(body.secret);
  return body.id;
}

const createModule = () =>
  planted.call('POST', '/api/modules', {
    body: { workspaceId, name: 'Footer', content: { text: documentText } },
  });

/** Waits until each webhook has this many deliveries with an attempt, and reads the delivery log. */
async function readAttempts(webhookIds: string[], count = 1): Promise<void> {
  for (const id of webhookIds) {
    const log = `/api/webhooks/${id}/deliveries`;
    const attempted = await eventually('an attempt', async () => {
      const { body } = await planted.call<{ data: { id: string; attempts: number }[] }>('GET', log);
      const deliveries = body.data.filter(({ attempts }) => attempts > 0);
      return deliveries.length >= count && deliveries;
    });
    for (const delivery of attempted) await planted.call('GET', `${log}/${delivery.id}`);
  }
}

it('an API returns a secret only in the response that creates or reveals it', async () => {
  const { secrets, galley, call } = planted;
  for (const options of [
    { expiresIn: '-1m' },
    { issuer: 'https://elsewhere.example' },
    { audience: 'another' },
    { keyId: 'unknown' },
    { algorithm: 'HS256', key: randomBytes(32) },
  ]) {
    const made = await galley.issuer.token('ada', options);
    const token = secrets.plantToken('refused token', made);
    expect(await call('GET', '/api/auth/me', { token })).toMatchObject({ status: 401 });
  }
  const unknownKey = `glk_${randomBytes(32).toString('base64url').slice(0, 43)}`;
  secrets.plant('unknown API key', unknownKey);
  for (const token of [unknownKey, `${secrets.plant('refused token')}.a.b`]) {
    expect(await call('GET', '/api/auth/me', { token })).toMatchObject({ status: 401 });
  }
  const query = secrets.plant('query of a request');
  await call('GET', `/api/templates?workspaceId=${workspaceId}&access_token=${query}`);
  await call('GET', `/api/search?workspaceId=${workspaceId}&q=${query}`);
  await call('GET', `/api/templates?workspaceId=${query}`);

  const keys = `/api/workspaces/${workspaceId}/keys`;
  const createKey = () =>
    call<{ key: string }>('POST', keys, {
      body: { name: 'Deploy', role: 'editor' },
      headers: { 'idempotency-key': 'create' },
    });
  // The second response is the stored one.
  for (const { body } of [await createKey(), await createKey()]) {
    const token = secrets.plant('API key', body.key);
    expect(await call('GET', '/api/auth/me', { token })).toMatchObject({ status: 200 });
  }
  await call('GET', keys);

  const template = { workspaceId, name: 'Welcome', content: { text: documentText } };
  const stored = await call('POST', '/api/templates', { body: template });
  await call('GET', `/api/templates/${stored.body.id}`);
  // No SMTP server responds.
  const test = await call('POST', `/api/templates/${stored.body.id}/test-send`, {
    body: { to: 'reviews@example.com' },
  });
  expect([400, 503]).toContain(test.status);
  // Nor does the storage of pictures.
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';
  const upload = await call('POST', `/api/assets?workspaceId=${workspaceId}`, {
    body: `--x\r\ncontent-disposition: form-data; name="file"; filename="a.svg"\r\n\r\n${svg}\r\n--x--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  });
  expect(upload).toMatchObject({ status: 503 });
  const refused = secrets.plant('refused body');
  for (const body of [
    { ...template, secret: refused },
    { ...template, name: { secret: refused } },
    `{"name":"${refused}`,
    refused,
  ]) {
    expect(await call('POST', '/api/templates', { body })).toMatchObject({ status: 400 });
  }
  await call('POST', '/api/templates', { body: { ...template, workspaceId: refused } });
  const headers = { 'content-type': `text/${refused}` };
  await call('POST', '/api/templates', { body: refused, headers });
  const url = `http://ada:${refused}@127.0.0.1/`;
  await call('POST', '/api/webhooks', { body: { workspaceId, url, events: ['module.*'] } });

  const [firstSecret = '', secondSecret = ''] =
    planted.environment['AUTH_WEBHOOK_SECRET']?.split(',') ?? [];
  const send = clerkSender(new Client(planted.apiUrl), firstSecret);
  const metadata = { token: secrets.plant('metadata of the identity provider') };
  const wrongSecret = `whsec_${randomBytes(32).toString('base64')}`;
  for (const secret of [firstSecret, secondSecret, wrongSecret]) {
    const fields = { private_metadata: metadata, unsafe_metadata: metadata };
    const { status, text } = await send(created('grace', 1_000, fields), { secret });
    expect(status).toBe(secret === wrongSecret ? 401 : 200);
    secrets.addText('response to POST /api/auth/webhook', text);
  }
  await planted.addStores();
  expect(planted.search()).toEqual([
    `document_versions.content: ${DOCUMENT}`,
    `response to GET /api/templates/:id: ${DOCUMENT}`,
    `response to POST /api/templates: ${DOCUMENT}`,
    'response to POST /api/workspaces/:id/keys: API key',
  ]);
});

/** Where the URL of a webhook may be: its settings, the audit log and the delivery log. */
const STORED_URLS = [
  `audit_entries.details: ${URL_TOKEN}`,
  `webhook_attempts.url: ${URL_TOKEN}`,
  `webhook_endpoints.url: ${URL_TOKEN}`,
];
/** The delivery log has the responses of receivers, with all that they echoed. */
const ECHOES = [
  `webhook_attempts.response_body: ${URL_TOKEN}`,
  `webhook_attempts.response_body: ${WEBHOOK_HEADER}`,
  `webhook_attempts.response_headers: ${RECEIVER_COOKIE}`,
  `webhook_attempts.response_headers: ${URL_TOKEN}`,
  `webhook_attempts.response_headers: ${WEBHOOK_HEADER}`,
];
const DOCUMENTS = [
  `document_versions.content: ${DOCUMENT}`,
  `document_words.words: ${DOCUMENT}`,
  `response to POST /api/modules: ${DOCUMENT}`,
];

it('a worker stores URLs and what receivers echo in the delivery log, and nothing anywhere else', async () => {
  const { call } = planted;
  const worker = await planted.serve('worker');
  const closed = `http://127.0.0.1:${await probePort(0)}`;
  const ids: string[] = [];
  for (const behaviour of ['200', '302', '500', 'reset']) {
    ids.push(await createWebhook(urlOf(behaviour)));
  }
  ids.push(await createWebhook(urlOf('200', closed)));
  ids.push(await createWebhook(urlOf('200', 'http://galley.invalid')));
  const [webhook = ''] = ids;
  await createModule();
  // While jobs and deliveries are pending.
  await planted.addStores();
  await readAttempts(ids);
  const rotate = `/api/webhooks/${webhook}/secret/rotate`;
  const headers = { 'idempotency-key': 'rotate' };
  const rotateSecret = () => call<{ secret: string }>('POST', rotate, { body: {}, headers });
  for (const { body } of [await rotateSecret(), await rotateSecret()]) {
    plantSigningSecret(body.secret);
  }
  const body = { url: urlOf('500'), headers: { 'x-token': webhookHeader } };
  await call('PUT', `/api/webhooks/${webhook}`, { body });
  await call('POST', `/api/webhooks/${webhook}/test`);
  await readAttempts([webhook], 2);
  for (const path of ['', '/secret', '/stats', '/health', '/transitions']) {
    await call('GET', `/api/webhooks/${webhook}${path}`);
  }
  await call('GET', `/api/workspaces/${workspaceId}/audit`);
  await call('GET', `/api/events?workspaceId=${workspaceId}`);
  await planted.stop(worker);
  await planted.addMetrics(api);
  await planted.addStores();
  expect(worker.program.output).toContain('"msg":"delivered"');
  expect(worker.program.output).toContain('"msg":"attempt failed');
  expect(planted.collector.spans.length).toBeGreaterThan(0);
  expect(planted.search()).toEqual(
    [
      ...STORED_URLS,
      ...ECHOES,
      ...DOCUMENTS,
      `response to GET /api/webhooks/:id/deliveries/:id: ${RECEIVER_COOKIE}`,
      `response to GET /api/webhooks/:id/deliveries/:id: ${URL_TOKEN}`,
      `response to GET /api/webhooks/:id/deliveries/:id: ${WEBHOOK_HEADER}`,
      `response to GET /api/webhooks/:id: ${URL_TOKEN}`,
      'response to GET /api/webhooks/:id/secret: signing secret',
      `response to GET /api/workspaces/:id/audit: ${URL_TOKEN}`,
      'response to POST /api/webhooks/:id/secret/rotate: signing secret',
      'response to POST /api/webhooks: signing secret',
      `response to POST /api/webhooks: ${URL_TOKEN}`,
      `response to PUT /api/webhooks/:id: ${URL_TOKEN}`,
    ].sort(),
  );
});

it('the password of a proxy is nowhere, even if the proxy repeats it', async () => {
  const password = planted.secrets.plant('password of WEBHOOK_PROXY_URL');
  const closedPort = await probePort(0);
  const ids = [await createWebhook(urlOf('200')), await createWebhook(urlOf('407'))];
  await createModule();
  const proxyUrl = (at: string) => ({ WEBHOOK_PROXY_URL: withCredentials(at, 'galley', password) });
  const cutOff = await planted.serve('worker', proxyUrl(`http://127.0.0.1:${closedPort}`), false);
  await cutOff.program.waitForOutput('side prevented the request');
  await planted.stop(cutOff);
  const worker = await planted.serve('worker', proxyUrl(origin));
  await readAttempts(ids);
  await planted.stop(worker);
  await planted.addStores();
  expect(proxyAuthorizations).toContain(
    `Basic ${Buffer.from(`galley:${password}`).toString('base64')}`,
  );
  expect(planted.search().filter((finding) => finding.includes('WEBHOOK_PROXY_URL'))).toEqual([]);
});

it('programs that lose PostgreSQL and Redis write no password', async () => {
  const { environment } = planted;
  const toDatabase = await PostgresProxy.to(environment['DATABASE_URL'] ?? '', 'galley');
  const redisUrl = environment['REDIS_URL'] ?? '';
  const toRedis = redisUrl === '' ? undefined : await TcpProxy.to(redisUrl);
  const variables = {
    DATABASE_URL: toDatabase.databaseUrl,
    DATABASE_DIRECT_URL: toDatabase.databaseUrl,
    REDIS_URL: toRedis?.url ?? '',
    // The limits are counted in Redis.
    RATE_LIMIT_USER: '1000',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await probePort(0)}`,
  };
  const lost = await planted.serve('api', variables);
  const worker = await planted.serve('worker', variables);
  const { url } = lost;
  expect(await planted.call('GET', '/api/auth/me', { url })).toMatchObject({ status: 200 });
  await toDatabase.stop();
  await toRedis?.stop();
  const body = { workspaceId, name: 'Welcome', content: { text: documentText } };
  expect(await planted.call('POST', '/api/templates', { body, url })).toMatchObject({
    status: 503,
  });
  for (const service of [lost, worker]) {
    const isReady = () => planted.readHealth(service.url);
    await eventually('a failed check', async () => (await isReady()) === false);
  }
  await lost.program.waitForOutput('"statusCode":503');
  await worker.program.waitForOutput('The database cannot be reached. All loops');
  if (toRedis) await lost.program.waitForOutput('Redis does not respond');
  for (const { program } of [lost, worker]) {
    await program.waitForOutput('ECONNREFUSED');
    program.killGroup();
    await program.exited;
  }
  expect(planted.search()).toEqual([]);
});
