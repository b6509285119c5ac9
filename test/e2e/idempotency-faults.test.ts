import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import pg from 'pg';
import { apiConfig } from '#config';
import {
  DatabaseModule,
  noEvent,
  Replayed,
  UnitOfWork,
  type Once,
  type Transaction,
} from '#database';
import { EncryptionModule } from '#encryption';
import { createApi } from '../../apps/api/api.js';
import { Client, shown } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { startGalley, type Galley } from '../support/galley.js';
import { peopleOf, type Person } from '../support/people.js';
import { PostgresProxy } from '../support/postgres-proxy.js';
import { make } from '../support/resources.js';
import { snapshot } from '../support/snapshot.js';

@Module({})
class Program {}

interface Template {
  id: string;
  version: number;
}

let galley: Galley;
let ada: Person;
let bob: Person;
let workspaceId: string;
/** With a key of its own for each test. */
let client: Client;

beforeAll(async () => {
  // With five connections to the database.
  galley = await startGalley();
  ({ ada, bob } = await peopleOf(galley, ['ada', 'bob']));
  workspaceId = (await galley.workspaceOf('ada')).id;
});
beforeEach(() => {
  client = ada.client.with({ 'idempotency-key': randomUUID() });
});
afterAll(() => galley.stop());

const webhook = () => ({ workspaceId, url: 'https://example.com', events: ['module.created'] });

const onceOf = (userId: string): Once => ({
  ...{ userId, key: randomUUID(), fingerprint: Buffer.from('same') },
  answer: (result) => ({ status: 200, headers: {}, body: Buffer.from(String(result)) }),
});

describe('while the first request is held up', () => {
  /** Another process on the same database. */
  let other: NestFastifyApplication;
  let elsewhere: Client;
  let restore: string;
  let release: () => Promise<void>;

  beforeAll(async () => {
    other = await createApi(apiConfig(galley.environment));
    await other.listen(0, '127.0.0.1');
  });
  beforeEach(async () => {
    elsewhere = new Client(await other.getUrl(), client.token, client.headers);
  });
  afterAll(() => other.close());

  /** Whoever is to change the template waits. */
  beforeEach(async () => {
    const id = await make(ada.client, '/api/templates', { workspaceId, name: 'A' });
    restore = `/api/templates/${id}/versions/1/restore`;
    const holder = new pg.Client(galley.database.url);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM templates WHERE id = $1 FOR UPDATE', [id]);
    release = () => holder.end();
  });

  const waiting = (isForKey: boolean, count = 1) =>
    eventually(`${count} to wait`, async () => {
      const backends = await galley.database.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
           AND wait_event_type = 'Lock' AND (wait_event = 'advisory') = $1`,
        [isForKey],
      );
      return backends.length === count && backends;
    });

  it('no process has more than one connection wait, and others are served', async () => {
    const sends = [client, elsewhere].flatMap((sender) =>
      Array.from({ length: 25 }, () => sender.post<Template>(restore)),
    );
    await Promise.all([waiting(false), waiting(true)]);
    expect((await bob.client.get('/api/auth/me')).status).toBe(200);
    await Promise.all([waiting(false), waiting(true)]);
    await release();
    const [first, ...others] = (await Promise.all(sends)).map(shown);
    expect(first?.status).toBe(200);
    for (const answer of others) expect(answer).toEqual(first);
  });

  it('others do not wait for ever', async () => {
    const first = client.post<Template>(restore);
    await waiting(false);
    const second = elsewhere.post<{ message: string }>(restore);
    const [backend] = await waiting(true);
    // As the statement timeout does after 30 seconds.
    await galley.database.query('SELECT pg_cancel_backend($1)', [backend?.pid]);
    const { status, headers, body } = await second;
    expect([status, headers.get('retry-after'), body.message]).toEqual([
      ...[409, '1', expect.stringContaining('still being carried out; send it again')],
    ]);
    await release();
    expect(shown(await client.post(restore))).toEqual(shown(await first));
  });

  it('its caller may hang up, and gets its answer later', async () => {
    const headers = {
      authorization: `Bearer ${ada.client.token}`,
      'idempotency-key': randomUUID(),
    };
    const cut = request(new URL(restore, galley.url), { method: 'POST', headers });
    cut.on('error', () => undefined).end();
    await waiting(false);
    cut.destroy();
    const again = elsewhere.with({ 'idempotency-key': headers['idempotency-key'] });
    const answer = again.post<Template>(restore);
    await waiting(true);
    await release();
    expect((await answer).body.version).toBe(2);
    expect(
      await galley.database.count(`outbox WHERE resource_id = '${(await answer).body.id}'`),
    ).toBe(2);
  });
});

it('a commit whose answer is lost has had its effect, and is answered when it is sent again', async () => {
  let proxy: PostgresProxy | undefined;
  const far = await startGalley({
    through: async (url) => (proxy = await PostgresProxy.to(url, 'galley api')).databaseUrl,
  });
  const body = { workspaceId: (await far.workspaceOf('ada')).id, name: 'A' };
  const sender = (await far.as('ada')).with({ 'idempotency-key': randomUUID() });
  // Texts end with a NUL; BEGIN says READ COMMITTED.
  const lost = proxy?.loseAnswerTo('COMMIT\0');
  expect((await sender.post('/api/templates', body)).status).toBe(503);
  await lost;
  const [stored] = await far.database.query<Template>('SELECT id FROM templates');
  const answer = await sender.post<Template>('/api/templates', body);
  expect([answer.status, answer.body.id]).toEqual([201, stored?.id]);
  expect(shown(await sender.post('/api/templates', body))).toEqual(shown(answer));
  expect(await far.database.count('templates')).toBe(1);
  expect(await far.database.count('outbox')).toBe(1);
  await far.stop();
  await proxy?.stop();
});

it('a program that is gone in the middle of its transaction lets go of the key', async () => {
  const program = await NestFactory.createApplicationContext(
    {
      module: Program,
      imports: [
        EncryptionModule.forRoot({ key: randomBytes(32), oldKeys: [] }),
        DatabaseModule.forRoot({
          ...{ url: galley.database.url, poolSize: 1, applicationName: 'gone' },
          statementTimeout: 3_000,
        }),
      ],
    },
    { logger: false },
  );
  const once = onceOf(ada.id);
  let answered: (() => void) | undefined;
  const gone = program.get(UnitOfWork).write(async ({ requireForReplay }) => {
    requireForReplay({ workspaceId, roles: ['owner'] });
    await new Promise<void>((resolve) => (answered = resolve));
    return noEvent(1, 'a test');
  }, once);
  const failed = expect(gone).rejects.toThrow();
  await eventually('the key to be taken', () => answered);
  // In this process it waits as long as a statement may.
  const works = (result: number) => (transaction: Transaction) => {
    transaction.requireForReplay({ workspaceId, roles: ['owner'] });
    return Promise.resolve(noEvent(result, 'a test'));
  };
  const late = program.get(UnitOfWork).write(works(3), once);
  await expect(late).rejects.toThrow('still being carried out; send it again');
  const second = galley.api.get(UnitOfWork, { strict: false });
  expect(await second.write(works(2), once)).toBe(2);
  answered?.();
  await failed;
  await program.close();
});

it('a unit of work that is run again is answered with what it gave in the end', async () => {
  const unitOfWork = galley.api.get(UnitOfWork, { strict: false });
  let runs = 0;
  const once = onceOf(ada.id);
  const write = () =>
    unitOfWork.write(async ({ query, requireForReplay }) => {
      requireForReplay({ workspaceId, roles: ['owner'] });
      runs++;
      // What PostgreSQL reports of two transactions that got in each other's way.
      if (runs < 3) await query(`DO $$ BEGIN RAISE SQLSTATE '40001'; END $$`);
      return noEvent(runs, 'a test');
    }, once);
  expect(await write()).toBe(3);
  const again = await write().catch((error: unknown) => error);
  expect(again).toBeInstanceOf(Replayed);
  expect((again as Replayed).answer).toEqual(once.answer(3));
  expect(runs).toBe(3);
});

it('work that names no right has no effect', async () => {
  const unitOfWork = galley.api.get(UnitOfWork, { strict: false });
  const before = await snapshot(galley.database);
  const work = () => Promise.resolve(noEvent(1, 'a test'));
  await expect(unitOfWork.write(work, onceOf(ada.id))).rejects.toThrow('has named no right');
  expect(await snapshot(galley.database)).toEqual(before);
});

describe('what was answered', () => {
  it('is stored without its secrets in plain text', async () => {
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
    const all = stored.map(({ row }) => row).join('\n');
    expect(all).toContain('/api/webhooks/');
    for (const text of [secret, rotated.secret, key, 'example.com', 'Shop']) {
      for (const plain of [text, Buffer.from(text).toString('hex')])
        expect(all).not.toContain(plain);
    }
  });

  it('is given again while the SECRETS_KEY of then is known, and nothing is done twice', async () => {
    const first = await client.post('/api/webhooks', webhook());
    const before = await snapshot(galley.database);
    const { SECRETS_KEY: old = '' } = galley.environment;
    const afterChange = async (keys: Record<string, string>) => {
      const environment = { ...galley.environment, ...keys };
      const api = await createApi(apiConfig(environment));
      await api.listen(0, '127.0.0.1');
      const sender = new Client(await api.getUrl(), ada.client.token, client.headers);
      const answer = await sender.post<{ message: string }>('/api/webhooks', webhook());
      await api.close();
      return answer;
    };
    const changed = { SECRETS_KEY: randomBytes(32).toString('base64') };
    expect(shown(await afterChange({ ...changed, SECRETS_KEYS_OLD: old }))).toEqual(shown(first));
    const { status, body } = await afterChange(changed);
    expect([status, body.message]).toEqual([
      ...[409, expect.stringContaining('its answer can no longer be read')],
    ]);
    expect(await snapshot(galley.database)).toEqual(before);
  });
});
