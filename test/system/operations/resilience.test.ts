import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MAX_WAITING } from '../../../apps/api/admission/database-waits.js';
import { Database, DatabaseModule, noEvent, UnitOfWork } from '#database';
import { EncryptionModule } from '#encryption';
import { Client } from '../../support/api/client.js';
import { createDatabase } from '../../support/galley/database.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { PostgresProxy } from '../../support/network/postgres-proxy.js';
import { TcpProxy } from '../../support/network/tcp-proxy.js';
import { Program } from '../../support/processes/program.js';
import { itTimed } from '../../support/it-timed.js';
import { activeKeyRing } from '../../support/secrets/active-key-ring.js';
import { startProgram, startReadyProgram } from '../../support/processes/galley-programs.js';

@Module({})
class EmptyModule {}

let galley: Galley;
/**
 * For each connection whose request never ends, what it received and after how many seconds it was closed.
 * The other tests run during that half minute.
 */
let unfinishedRequests: Promise<{ text: string; seconds: number }[]>;

beforeAll(async () => {
  galley = await startGalley();
  unfinishedRequests = Promise.all(['', UNFINISHED_HEADERS].map(readUntilClosed));
});
afterAll(() => galley.stop());

// The head of a request to a route that reads bodies without a token.
const UNFINISHED_HEADERS =
  'POST /api/auth/webhook HTTP/1.1\r\nhost: galley\r\ncontent-type: application/json\r\n';

async function readUntilClosed(firstBytes: string) {
  const startedAt = performance.now();
  const socket = connect(Number(new URL(galley.url).port), '127.0.0.1');
  socket.write(firstBytes);
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += String(chunk);
  return { text, seconds: (performance.now() - startedAt) / 1000 };
}

/** Starts the API as in production: the compiled program in a separate process. */
const startApi = async (settings: Record<string, string> = {}) => {
  const { program, ...started } = await startReadyProgram('api', {
    ...galley.environment,
    ...settings,
  });
  return { ...started, program, exited: program.exited };
};

it('an API survives the loss of its connections at any moment', async () => {
  const { program, url, exited } = await startApi();
  const ada = new Client(url, await galley.issuer.token('ada'));
  const { id: workspaceId } = await galley.createWorkspaceFor('ada');
  const body = { name: 'Cut', workspaceId };
  let isCutting = true;
  const createdIds: string[] = [];
  const writeUntilStopped = async () => {
    while (isCutting) {
      const response = await ada.post<{ id: string }>('/api/templates', body);
      expect([201, 503]).toContain(response.status);
      if (response.status === 201) createdIds.push(response.body.id);
    }
  };
  const writers = Array.from({ length: 10 }, writeUntilStopped);
  for (let cut = 0; cut < 60; cut++) {
    await galley.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'galley api' AND datname = current_database()`,
    );
    await immediate();
  }
  isCutting = false;
  await Promise.all(writers);
  expect(program.child.exitCode).toBeNull();
  expect((await ada.post('/api/templates', body)).status).toBe(201);
  const events = await galley.database.query<{ resource_id: string }>(
    'SELECT resource_id FROM outbox WHERE workspace_id = $1',
    [workspaceId],
  );
  expect(new Set(events.map((event) => event.resource_id))).toEqual(
    new Set(
      (
        await galley.database.query<{ id: string }>(
          'SELECT id FROM documents WHERE workspace_id = $1',
          [workspaceId],
        )
      ).map(({ id }) => id),
    ),
  );
  for (const id of createdIds) expect(events.map((event) => event.resource_id)).toContain(id);
  program.signal('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

it('while the database cannot be reached, requests get 503 with Retry-After', async () => {
  const proxy = await PostgresProxy.to(galley.database.pooledUrl, 'galley api');
  const { program, url, exited } = await startApi({ DATABASE_URL: proxy.databaseUrl });
  const ada = new Client(url, await galley.issuer.token('ada'));
  expect((await ada.get('/api/workspaces')).status).toBe(200);
  await proxy.stop();
  const { status, text } = await ada.get('/api/workspaces');
  expect([status, text]).toEqual([503, expect.stringContaining('database connection')]);
  program.signal('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

itTimed('an API whose database falls silent is soon not ready', async () => {
  const proxy = await PostgresProxy.to(galley.database.pooledUrl, 'galley api');
  const { program, url, exited } = await startApi({ DATABASE_URL: proxy.databaseUrl });
  proxy.silence();
  const startedAt = performance.now();
  await eventually('the API not to be ready', async () => {
    const { status } = await fetch(`${url}/health/ready`);
    return status === 503;
  });
  // The readiness check does not wait for the 35 s that a statement may take.
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  program.signal('SIGKILL');
  await exited;
  await proxy.stop();
});

it('while the database is silent, waiting requests get 503, and none gets 429', async () => {
  const proxy = await TcpProxy.to(galley.database.pooledUrl);
  const { program, url, exited } = await startApi({ DATABASE_URL: proxy.url });
  const ada = new Client(url, await galley.issuer.token('ada'));
  const read = async () => (await ada.get('/api/workspaces')).status;
  expect(await read()).toBe(200);
  proxy.silence();
  const running = read().catch(() => undefined);
  await eventually('the API not to be ready', async () => {
    const { status } = await fetch(`${url}/health/ready`);
    return status === 503;
  });
  const statuses: number[] = [];
  // Those that run get their response after 35 s, when their connections are given up.
  const others = Array.from({ length: MAX_WAITING + 20 }, () =>
    read().then(
      (status) => statuses.push(status),
      () => undefined,
    ),
  );
  await eventually('the responses', () => statuses.length >= MAX_WAITING);
  program.signal('SIGKILL');
  await Promise.all([exited, running, ...others]);
  expect(new Set(statuses)).toEqual(new Set([503]));
  await proxy.stop();
});

it('connections that have fallen silent are closed, and no request gets them afterwards', async () => {
  const proxy = await PostgresProxy.to(galley.database.url, 'silent');
  const application = await NestFactory.createApplicationContext(
    {
      module: EmptyModule,
      imports: [
        EncryptionModule.forRoot(activeKeyRing(randomBytes(32))),
        DatabaseModule.forRoot({
          url: proxy.databaseUrl,
          poolSize: 2,
          applicationName: 'silent',
          statementTimeout: 1_000,
        }),
      ],
    },
    { logger: false },
  );
  const database = application.get(Database);
  const select = () => database.query('SELECT 1 AS one');
  const write = () =>
    application
      .get(UnitOfWork)
      .write(async ({ query }) => noEvent(await query('SELECT 1'), 'a test'));
  await Promise.all([select(), write()]);
  proxy.silence();
  const lostStatements = [select(), write()];
  const waitingStatements = [select(), select()];
  for (const statement of lostStatements)
    await expect(statement).rejects.toThrow('nothing was changed');
  for (const statement of waitingStatements) expect(await statement).toEqual([{ one: 1 }]);
  // PostgreSQL responds again, and a request that waits still is not to blame.
  expect([database.wasSilentWithin(5_000), database.wasSilentWithin(0)]).toEqual([true, false]);
  expect(await database.findProblem()).toBeUndefined();
  await application.close();
  await proxy.stop();
});

it('an API that is asked to stop does not wait for idle connections', async () => {
  const { program, port, exited } = await startApi();
  const silent = connect(port, '127.0.0.1');
  await once(silent, 'connect');
  program.signal('SIGTERM');
  expect(await exited).toEqual([0, null]);
  silent.destroy();
});

it('a creation in a workspace that is being deleted gets 201, 404 or 409', async () => {
  const ada = await galley.clientFor('ada');
  const statuses: number[] = [];
  for (let round = 0; round < 10; round++) {
    const { id: workspaceId } = await galley.createWorkspaceFor('ada');
    const creations = Array.from({ length: 5 }, () =>
      ada.post('/api/templates', { name: 'Late', workspaceId }),
    );
    const responses = await Promise.all([
      ada.delete(`/api/workspaces/${workspaceId}`),
      ...creations,
    ]);
    statuses.push(...responses.map(({ status }) => status));
  }
  expect(statuses.filter((status) => ![201, 204, 404, 409].includes(status))).toEqual([]);
});

it('API and worker that start before the database is migrated wait, and log little', async () => {
  const emptyDatabase = await createDatabase('template0');
  const environment = {
    ...galley.environment,
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: '',
    DATABASE_URL: emptyDatabase.url,
    DATABASE_DIRECT_URL: emptyDatabase.url,
  };
  const { program: worker, readiness } = await startProgram('worker', environment);
  await eventually('the worker to respond', async () => (await readiness()) === 503);
  await worker.waitForOutput('"Waiting until the database is ready."');
  const {
    url: apiUrl,
    program: api,
    readiness: apiReadiness,
  } = await startProgram('api', environment);
  await eventually('the API to respond', async () => (await apiReadiness()) === 503);
  const ada = new Client(apiUrl, await galley.issuer.token('ada'));
  const { status, text, headers } = await ada.get('/api/workspaces');
  expect([status, text, headers.get('retry-after')]).toEqual([
    503,
    expect.stringContaining('not ready for requests'),
    expect.anything(),
  ]);
  // No step of a loop has failed on a table that does not exist yet.
  expect(worker.output).not.toMatch(/"stage":"(relay|sweep|search|purge|housekeeping|keys)"/);

  const migrate = new Program(process.execPath, ['dist/apps/migrate/main.js'], environment);
  // The output is compared as well, because it explains a failure.
  expect([await migrate.exited, migrate.output]).toEqual([[0, null], migrate.output]);
  for (const isReady of [readiness, apiReadiness]) {
    await eventually('the program to be ready', async () => (await isReady()) === 200);
  }
  await eventually('a response', async () => (await ada.get('/api/workspaces')).status === 200);
  for (const program of [worker, api]) {
    program.signal('SIGTERM');
    expect(await program.exited).toEqual([0, null]);
  }
  await emptyDatabase.drop();
});

itTimed('a request that does not arrive within half a minute gets 408', async () => {
  const [silent, ...unfinished] = await unfinishedRequests;
  // The connection has sent no request, so it gets no response.
  expect(silent?.text).toBe('');
  for (const { text, seconds } of unfinished) {
    expect(text).toMatch(/^HTTP\/1\.1 408 .*cache-control: no-store.*"statusCode":408/s);
    expect(seconds).toBeGreaterThan(29);
    // With the default settings of Node.js, the connection may stay open for twice as long.
    expect(seconds).toBeLessThan(50);
  }
});

it('data after a request on its connection does not replace the response', async () => {
  const ada = await galley.clientFor('ada');
  const workspace = await galley.createWorkspaceFor('ada');
  const { body } = await ada.post<{ id: string }>('/api/templates', {
    name: 'Gone',
    workspaceId: workspace.id,
  });
  const head = (method: string, path: string, token = ada.token) =>
    `${method} ${path} HTTP/1.1\r\nhost: galley\r\nauthorization: Bearer ${token}\r\n` +
    'content-type: application/json\r\n';
  const statusesOf = async (text: string) =>
    (await readUntilClosed(text)).text.match(/HTTP\/1\.1 \d+/g)?.map((line) => line.slice(-3));
  // Each request is followed by data that is not part of it: it states no length, or a shorter one.
  const deletion = `${head('DELETE', `/api/templates/${body.id}`)}\r\n{"stray":1}`;
  expect(await statusesOf(deletion)).toEqual(['204']);
  expect((await ada.get(`/api/templates/${body.id}`)).status).toBe(404);
  const overlongRequest = `${head('POST', '/api/workspaces')}content-length: 15\r\n\r\n{"name":"Made"}}`;
  expect(await statusesOf(overlongRequest)).toEqual(['201']);
  const me = `${head('GET', '/api/auth/me')}\r\n`;
  const chunked = (token?: string) =>
    `${head('POST', '/api/workspaces', token)}transfer-encoding: chunked\r\n\r\n`;
  expect(await statusesOf(`${me}${me}${chunked()}no chunk\r\n`)).toEqual(['200', '200']);
  expect(await statusesOf('hello\r\n\r\n')).toEqual(['400']);

  // The API responds before it reads the body, because the token is empty.
  const socket = connect(Number(new URL(galley.url).port), '127.0.0.1');
  socket.write(chunked(''));
  const [response] = (await once(socket, 'data')) as [Buffer];
  expect(response.toString()).toMatch(/^HTTP\/1\.1 401 /);
  socket.write('no chunk\r\n');
  expect(await socket.toArray()).toEqual([]);
});
