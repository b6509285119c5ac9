import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { probePort } from '../../../apps/standalone/ports.js';
import { clerkSender, created } from '../../support/identity/clerk.js';
import { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { Program } from '../../support/processes/program.js';
import { createResource } from '../../support/galley/resources.js';
import {
  exchange,
  malformedRequests,
  MARK,
  secretRequests,
  slowRequests,
} from '../../support/requests/secret-requests.js';
import { startProgram, waitUntilReady } from '../../support/processes/galley-programs.js';

const PROVIDER_SECRET = `whsec_${Buffer.from(`${MARK}-${randomUUID()}`).toString('base64')}`;
// The number of parallel connections; with more, a busy machine might refuse some.
const CONCURRENCY = 20;

let galley: Galley;
let ada: Client;
let workspaceId: string;
let receiver: Server;
let receiverPort: number;
let api: Program;
let apiPort: number;
let worker: Program;
let workerPort: number;
let slowResponses: Promise<string[]>;

beforeAll(async () => {
  galley = await startGalley({
    environment: { AUTH_WEBHOOK_SECRET: PROVIDER_SECRET, LOG_LEVEL: 'silent' },
  });
  receiverPort = await probePort(0);
  const environment = { ...galley.environment, LOG_LEVEL: 'trace' };
  const preloadUrl = new URL('../../support/processes/short-request-timeouts.js', import.meta.url)
    .href;
  const nodeArguments = [`--import=${preloadUrl}`];
  const startedApi = await startProgram('api', environment, { nodeArguments });
  const startedWorker = await startProgram('worker', environment);
  ({ program: api, port: apiPort } = startedApi);
  ({ program: worker, port: workerPort } = startedWorker);
  receiver = await startReceiver();
  for (const each of [startedApi, startedWorker]) await waitUntilReady(each);
  const token = await galley.issuer.token(`ada-${MARK}`, {
    claims: { email: `${MARK}@example.com`, email_verified: true, given_name: MARK },
  });
  ada = new Client(`http://127.0.0.1:${apiPort}`, token);
  workspaceId = await createResource(ada, '/api/workspaces', { name: `Kitchen ${MARK}` });
  slowResponses = Promise.all(slowRequests(token).map((bytes) => exchange(apiPort, bytes)));
});
afterAll(async () => {
  for (const program of [api, worker]) {
    program.killGroup();
    await program.exited;
  }
  receiver.closeAllConnections();
  receiver.close();
  await galley.stop();
});

/** Responds in one of many ways, always with everything that it received. */
async function startReceiver(): Promise<Server> {
  const server = createServer((request, response) => {
    const echo = JSON.stringify([request.url, request.headers]);
    const behaviour = /^\/(\w+)/.exec(request.url ?? '')?.[1];
    if (behaviour === 'reset') request.socket.destroy();
    else if (behaviour === 'garbage')
      request.socket.end(`HTTP/1.1 200 OK\r\n${echo}: \0${echo}\r\n\r\n`);
    else {
      response.setHeader('set-cookie', `receiver=${MARK}`);
      response.setHeader('location', `https://ada:${MARK}@example.com/?${MARK}`);
      response.writeHead(Number(behaviour), MARK).end(echo);
    }
  });
  await new Promise<void>((resolve) => server.listen(receiverPort, '127.0.0.1', resolve));
  expect((server.address() as AddressInfo).port).toBe(receiverPort);
  return server;
}

/** All lines with a text that no log may contain. */
function leakingLines(): string[] {
  const { SECRETS_KEYS = '' } = galley.environment;
  const secrets = [MARK, Buffer.from(MARK).toString('hex'), ada.token ?? '', PROVIDER_SECRET];
  const forbiddenTexts = [...secrets, SECRETS_KEYS, 'glk_', 'whsec_'].map((text) =>
    text.toLowerCase(),
  );
  return [api, worker]
    .flatMap(({ output }) => output.split('\n'))
    .filter((line) => forbiddenTexts.some((text) => line.toLowerCase().includes(text)));
}

it('a request leaves one line, with its id and its caller', async () => {
  const { headers, body } = await ada.get<{ user: { id: string } }>('/api/auth/me');
  const requestId = headers.get('x-request-id') ?? '';
  await api.waitForOutput(requestId);
  const lines = api.output.split('\n').filter((line) => line.includes(requestId));
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      requestId,
      method: 'GET',
      path: '/api/auth/me',
      userId: body.user.id,
      statusCode: 200,
      durationMs: expect.any(Number),
    }),
  ]);
});

it('a request leaves no secret in the log, whatever its form and result', async () => {
  const completeRequests = secretRequests(ada.token ?? '', workspaceId);
  const seenStatuses = new Set<string>();
  for (const port of [apiPort, workerPort]) {
    for (const isAborted of [false, true]) {
      const requests = [...completeRequests, ...malformedRequests];
      for (let at = 0; at < requests.length; at += CONCURRENCY) {
        const chunk = requests.slice(at, at + CONCURRENCY);
        const lines = await Promise.all(chunk.map((bytes) => exchange(port, bytes, isAborted)));
        if (port === apiPort) for (const line of lines) seenStatuses.add(line.slice(9, 12));
      }
    }
  }
  const send = clerkSender(ada, PROVIDER_SECRET);
  await send(created(MARK, 1_000));
  await send(created(MARK, 1_000, { banned: MARK }));
  await send(created(MARK, 1_000), { secret: `whsec_${Buffer.from('other').toString('base64')}` });
  const expectedStatuses = ['200', '201', '400', '401', '404', '413', '415', '431'];
  expect([...seenStatuses].sort()).toEqual(expect.arrayContaining(expectedStatuses));
  await ada.with({ 'x-request-id': 'the-last' }).get('/api/auth/me');
  await api.waitForOutput('"requestId":"the-last"');
  expect(leakingLines()).toEqual([]);
});

it('an internal error leaves none, although PostgreSQL quotes refused values', async () => {
  await galley.database.query(
    `CREATE FUNCTION quote_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       RAISE EXCEPTION USING ERRCODE = '22P02', DETAIL = NEW.name, HINT = NEW.name,
         MESSAGE = 'invalid input syntax for type json: "' || NEW.name || '"';
     END $$`,
  );
  await galley.database.query(
    'CREATE TRIGGER quote_it BEFORE INSERT ON documents FOR EACH ROW EXECUTE FUNCTION quote_it()',
  );
  const { status } = await ada.post('/api/templates', { workspaceId, name: MARK });
  await galley.database.query('DROP FUNCTION quote_it CASCADE');
  expect(status).toBe(500);
  await api.waitForOutput('"statusCode":500');
  expect(api.output).toMatch(/"type":"DatabaseError".*"code":"22P02"/);
  expect(leakingLines()).toEqual([]);
});

it('a webhook leaves none: requests and responses are in the delivery log', async () => {
  const closedPort = await probePort(0);
  const urls = [
    ...['200', '302', '410', '500', 'reset', 'garbage'].map(
      (behaviour) => `http://127.0.0.1:${receiverPort}/${behaviour}/${MARK}?token=${MARK}`,
    ),
    `https://127.0.0.1:${receiverPort}/${MARK}`,
    `http://127.0.0.1:${closedPort}/${MARK}`,
    `http://${MARK}.localhost:${closedPort}/`,
    `http://${MARK}.invalid/`,
  ];
  const ids: string[] = [];
  for (const url of urls) {
    const fields = { workspaceId, url, events: ['module.created'], description: MARK };
    ids.push(
      await createResource(ada, '/api/webhooks', { ...fields, headers: { 'x-token': MARK } }),
    );
  }
  await createResource(ada, '/api/modules', { workspaceId, name: MARK, content: { [MARK]: MARK } });
  const deliveryTexts: string[] = [];
  for (const id of ids) {
    const log = `/api/webhooks/${id}/deliveries`;
    const delivery = await eventually('an attempt', async () => {
      const { body } = await ada.get<{ data: { id: string; attempts: number }[] }>(log);
      return body.data.find(({ attempts }) => attempts > 0);
    });
    deliveryTexts.push((await ada.get(`${log}/${delivery.id}`)).text);
    await worker.waitForOutput(`"endpointId":"${id}"`);
  }
  // Unlike the log, the delivery log shows the URL of each attempt and what the receiver has echoed.
  expect(deliveryTexts.filter((text) => text.includes(MARK)).length).toBe(urls.length);
  expect(leakingLines()).toEqual([]);
});

it('an error that ends a program leaves none', async () => {
  const failureCode = `Object.assign(new Error('oops'), { command: { args: ['${MARK}'] } })`;
  for (const failingCode of [`throw ${failureCode}`, `Promise.reject(${failureCode})`]) {
    const program = new Program(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { start } from './dist/libs/config/index.js';
       await start('api', async () => { setTimeout(() => { ${failingCode} }); });`,
    ]);
    expect(await program.exited).toEqual([1, null]);
    expect(program.output).toContain('oops');
    expect(program.output).not.toContain(MARK);
  }
});

it('a request that does not end leaves none', async () => {
  expect(await slowResponses).toEqual([
    'HTTP/1.1 408 Request Timeout',
    'HTTP/1.1 408 Request Timeout',
  ]);
  await ada.with({ 'x-request-id': 'the-end' }).get('/api/auth/me');
  await api.waitForOutput('"requestId":"the-end"');
  expect(leakingLines()).toEqual([]);
});
