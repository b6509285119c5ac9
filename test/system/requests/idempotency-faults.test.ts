import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadApiConfig } from '#config';
import {
  DatabaseModule,
  noEvent,
  ReplayedResponse,
  UnitOfWork,
  type IdempotencyKey,
  type Transaction,
} from '#database';
import { EncryptionModule } from '#encryption';
import { createApi } from '../../../apps/api/api.js';
import { Client, comparableResponse } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { signInUsers, type TestUser } from '../../support/galley/users.js';
import { itRaces } from '../../support/it-races.js';
import { PostgresProxy } from '../../support/network/postgres-proxy.js';
import { createResource } from '../../support/galley/resources.js';
import { snapshot } from '../../support/galley/database-snapshot.js';
import { activeKeyRing } from '../../support/secrets/active-key-ring.js';

@Module({})
class EmptyModule {}

interface Template {
  id: string;
  version: number;
}

let galley: Galley;
let ada: TestUser;
let bob: TestUser;
let workspaceId: string;
/** A client of Ada with an idempotency key. Each test gets a new key. */
let client: Client;

beforeAll(async () => {
  // The API has five database connections, fewer than the requests that wait at once.
  galley = await startGalley();
  ({ ada, bob } = await signInUsers(galley, ['ada', 'bob']));
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});
beforeEach(() => {
  client = ada.client.with({ 'idempotency-key': randomUUID() });
});
afterAll(() => galley.stop());

const webhook = () => ({ workspaceId, url: 'https://example.com', events: ['module.created'] });

const idempotencyKeyOf = (userId: string): IdempotencyKey => ({
  userId,
  key: randomUUID(),
  fingerprint: Buffer.from('same'),
  toResponse: (result) => ({ status: 200, headers: {}, body: Buffer.from(String(result)) }),
});

describe('while the first request waits for a lock', () => {
  /** A second API on the same database, which stands in for another process. */
  let otherApi: NestFastifyApplication;
  let otherClient: Client;
  let restorePath: string;
  let releaseLock: () => Promise<void>;

  beforeAll(async () => {
    otherApi = await createApi(loadApiConfig(galley.environment));
    await otherApi.listen(0, '127.0.0.1');
  });
  beforeEach(async () => {
    otherClient = new Client(await otherApi.getUrl(), client.token, client.headers);
  });
  afterAll(() => otherApi.close());

  /** Holds the lock of the template, so that changes of it wait. */
  beforeEach(async () => {
    const id = await createResource(ada.client, '/api/templates', { workspaceId, name: 'A' });
    restorePath = `/api/templates/${id}/versions/1/restore`;
    releaseLock = await galley.database.holdLock('SELECT FROM documents WHERE id = $1 FOR UPDATE', [
      id,
    ]);
  });

  const waitForLock = (isForKey: boolean, count = 1) =>
    eventually(`${count} to wait`, async () => {
      const backends = await galley.database.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
           AND wait_event_type = 'Lock' AND (wait_event = 'advisory') = $1`,
        [isForKey],
      );
      return backends.length === count && backends;
    });

  it('at most one connection of a process waits, and other callers are served', async () => {
    const pendingResponses = [client, otherClient].flatMap((sender) =>
      Array.from({ length: 25 }, () => sender.post<Template>(restorePath)),
    );
    await Promise.all([waitForLock(false), waitForLock(true)]);
    expect((await bob.client.get('/api/auth/me')).status).toBe(200);
    await Promise.all([waitForLock(false), waitForLock(true)]);
    await releaseLock();
    const [first, ...others] = (await Promise.all(pendingResponses)).map(comparableResponse);
    expect(first?.status).toBe(200);
    for (const response of others) expect(response).toEqual(first);
  });

  it('repeated requests do not wait forever', async () => {
    const first = client.post<Template>(restorePath);
    await waitForLock(false);
    const second = otherClient.post<{ message: string }>(restorePath);
    const [backend] = await waitForLock(true);
    // PostgreSQL cancels the statement, as the statement timeout does after 30 seconds.
    await galley.database.query('SELECT pg_cancel_backend($1)', [backend?.pid]);
    const { status, headers, body } = await second;
    expect([status, headers.get('retry-after'), body.message]).toEqual([
      409,
      '1',
      expect.stringContaining('still being processed; send it again'),
    ]);
    await releaseLock();
    expect(comparableResponse(await client.post(restorePath))).toEqual(
      comparableResponse(await first),
    );
  });

  it('its caller may disconnect, and gets the response later', async () => {
    const headers = {
      authorization: `Bearer ${ada.client.token}`,
      'idempotency-key': randomUUID(),
    };
    const abortedRequest = request(new URL(restorePath, galley.url), { method: 'POST', headers });
    abortedRequest.on('error', () => undefined).end();
    await waitForLock(false);
    abortedRequest.destroy();
    const retryClient = otherClient.with({ 'idempotency-key': headers['idempotency-key'] });
    const response = retryClient.post<Template>(restorePath);
    await waitForLock(true);
    await releaseLock();
    expect((await response).body.version).toBe(2);
    expect(
      await galley.database.count(`outbox WHERE resource_id = '${(await response).body.id}'`),
    ).toBe(2);
  });
});

it('if the response to COMMIT is lost, a repeated request gets the stored response', async () => {
  let proxy: PostgresProxy | undefined;
  const remoteGalley = await startGalley({
    proxyDatabase: async (url) => (proxy = await PostgresProxy.to(url, 'galley api')).databaseUrl,
  });
  const body = { workspaceId: (await remoteGalley.createWorkspaceFor('ada')).id, name: 'A' };
  const sender = (await remoteGalley.clientFor('ada')).with({ 'idempotency-key': randomUUID() });
  // A text in PostgreSQL's protocol ends with NUL, so this does not match the READ COMMITTED of BEGIN.
  const connectionLost = proxy?.loseResponseTo('COMMIT\0');
  expect((await sender.post('/api/templates', body)).status).toBe(503);
  await connectionLost;
  const [stored] = await remoteGalley.database.query<Template>('SELECT id FROM documents');
  const response = await sender.post<Template>('/api/templates', body);
  expect([response.status, response.body.id]).toEqual([201, stored?.id]);
  expect(comparableResponse(await sender.post('/api/templates', body))).toEqual(
    comparableResponse(response),
  );
  expect(await remoteGalley.database.count('documents')).toBe(1);
  expect(await remoteGalley.database.count('outbox')).toBe(1);
  await remoteGalley.stop();
  await proxy?.stop();
});

it('a program that dies during its transaction releases the key', async () => {
  const application = await NestFactory.createApplicationContext(
    {
      module: EmptyModule,
      imports: [
        EncryptionModule.forRoot(activeKeyRing(randomBytes(32))),
        DatabaseModule.forRoot({
          url: galley.database.url,
          poolSize: 1,
          applicationName: 'gone',
          statementTimeout: 3_000,
        }),
      ],
    },
    { logger: false },
  );
  const idempotencyKey = idempotencyKeyOf(ada.id);
  let finishWork: (() => void) | undefined;
  const abandonedWork = application.get(UnitOfWork).write(async ({ requireForReplay }) => {
    requireForReplay({ workspaceId, roles: ['owner'] });
    await new Promise<void>((resolve) => (finishWork = resolve));
    return noEvent(1, 'a test');
  }, idempotencyKey);
  const rejection = expect(abandonedWork).rejects.toThrow();
  await eventually('the key to be locked', () => finishWork);
  // In the process of the first request, a second request waits as long as a statement may take: 3 s here.
  const workReturning = (result: number) => (transaction: Transaction) => {
    transaction.requireForReplay({ workspaceId, roles: ['owner'] });
    return Promise.resolve(noEvent(result, 'a test'));
  };
  const secondWrite = application.get(UnitOfWork).write(workReturning(3), idempotencyKey);
  await expect(secondWrite).rejects.toThrow('still being processed; send it again');
  const otherUnitOfWork = galley.api.get(UnitOfWork, { strict: false });
  expect(await otherUnitOfWork.write(workReturning(2), idempotencyKey)).toBe(2);
  finishWork?.();
  await rejection;
  await application.close();
});

itRaces('two programs that get a request at once carry it out once', async () => {
  const otherApi = await createApi(loadApiConfig(galley.environment));
  await otherApi.listen(0, '127.0.0.1');
  try {
    const { token, headers } = ada.client;
    const clients = [ada.client, new Client(await otherApi.getUrl(), token, headers)];
    // The first request of each program opens its connections.
    await Promise.all(clients.map((each) => each.get('/api/auth/me')));
    for (let round = 0; round < 20; round++) {
      const key = { 'idempotency-key': randomUUID() };
      const responses = await Promise.all(
        clients.map((each) =>
          each.with(key).post<Template>('/api/templates', { workspaceId, name: 'A' }),
        ),
      );
      const ids = responses.map(({ body }) => body.id);
      expect([responses.map(({ status }) => status), new Set(ids).size]).toEqual([[201, 201], 1]);
    }
  } finally {
    await otherApi.close();
  }
});

it('a unit of work that runs again stores the response of its last run', async () => {
  const unitOfWork = galley.api.get(UnitOfWork, { strict: false });
  let runs = 0;
  const idempotencyKey = idempotencyKeyOf(ada.id);
  const write = () =>
    unitOfWork.write(async ({ query, requireForReplay }) => {
      requireForReplay({ workspaceId, roles: ['owner'] });
      runs++;
      // 40001: the error that PostgreSQL reports for transactions that collided.
      if (runs < 3) await query(`DO $$ BEGIN RAISE SQLSTATE '40001'; END $$`);
      return noEvent(runs, 'a test');
    }, idempotencyKey);
  expect(await write()).toBe(3);
  const repeatError = await write().catch((error: unknown) => error);
  expect(repeatError).toBeInstanceOf(ReplayedResponse);
  expect((repeatError as ReplayedResponse).response).toEqual(idempotencyKey.toResponse(3));
  expect(runs).toBe(3);
});

it('work that declares no right fails without an effect', async () => {
  const unitOfWork = galley.api.get(UnitOfWork, { strict: false });
  const before = await snapshot(galley.database);
  const work = () => Promise.resolve(noEvent(1, 'a test'));
  await expect(unitOfWork.write(work, idempotencyKeyOf(ada.id))).rejects.toThrow(
    'has declared no right',
  );
  expect(await snapshot(galley.database)).toEqual(before);
});

describe('a stored response', () => {
  it('contains no secrets in plain text', async () => {
    const post = async (path: string, body: object) => {
      const sender = ada.client.with({ 'idempotency-key': randomUUID() });
      return (await sender.post<Record<'id' | 'secret' | 'key', string>>(path, body)).body;
    };
    const { id, secret } = await post('/api/webhooks', webhook());
    const rotated = await post(`/api/webhooks/${id}/secret/rotate`, {});
    const shop = { name: 'Shop', role: 'viewer' };
    const { key } = await post(`/api/workspaces/${workspaceId}/keys`, shop);
    const stored = await galley.database.query<{ row: string }>(
      'SELECT kept::text AS row FROM idempotency_keys kept',
    );
    const storedText = stored.map(({ row }) => row).join('\n');
    expect(storedText).toContain('/api/webhooks/');
    for (const text of [secret, rotated.secret, key, 'example.com', 'Shop']) {
      for (const plain of [text, Buffer.from(text).toString('hex')])
        expect(storedText).not.toContain(plain);
    }
  });

  it('is sent again while its key is known; without the key nothing is done twice', async () => {
    const first = await client.post('/api/webhooks', webhook());
    const before = await snapshot(galley.database);
    const { SECRETS_KEYS: oldKey = '' } = galley.environment;
    const sendWithKeys = async (...keys: string[]) => {
      const environment = { ...galley.environment, SECRETS_KEYS: keys.join(',') };
      const api = await createApi(loadApiConfig(environment));
      await api.listen(0, '127.0.0.1');
      const sender = new Client(await api.getUrl(), ada.client.token, client.headers);
      const response = await sender.post<{ message: string }>('/api/webhooks', webhook());
      await api.close();
      return response;
    };
    const newKey = randomBytes(32).toString('base64');
    expect(comparableResponse(await sendWithKeys(newKey, oldKey))).toEqual(
      comparableResponse(first),
    );
    // An operator has removed the key on purpose, so the log has a warning.
    const [errors, warnings] = (['error', 'warn'] as const).map((level) =>
      jest.spyOn(Logger.prototype, level),
    );
    const { status, body } = await sendWithKeys(newKey);
    expect([status, body.message]).toEqual([
      409,
      expect.stringContaining('its stored response can no longer be read'),
    ]);
    const line = expect.objectContaining({ stage: 'decrypt stored response' }) as unknown;
    expect(errors).not.toHaveBeenCalledWith(line);
    expect(warnings).toHaveBeenCalledWith(
      line,
      expect.stringContaining('lacks the key that encrypted a stored response'),
    );
    jest.restoreAllMocks();
    expect(await snapshot(galley.database)).toEqual(before);
  });
});
