import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { PostgresProxy } from '../../support/network/postgres-proxy.js';
import { createResource } from '../../support/galley/resources.js';

interface ErrorResponse {
  code: string;
  message: string;
}

let galley: Galley;
let proxy: PostgresProxy;
let ada: Client;
let workspaceId: string;
let templateId: string;

beforeAll(async () => {
  galley = await startGalley({
    proxyDatabase: async (databaseUrl) => {
      proxy = await PostgresProxy.to(databaseUrl, 'galley api');
      return proxy.databaseUrl;
    },
  });
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});
afterAll(async () => {
  await galley.stop();
  await proxy.stop();
});
beforeEach(async () => {
  templateId = await createResource(ada, '/api/templates', { name: 'A', workspaceId });
});

const templatePath = () => `/api/templates/${templateId}`;
const countVersions = () =>
  galley.database.count(`document_versions WHERE document_id = '${templateId}'`);
const countEvents = () => galley.database.count(`outbox WHERE resource_id = '${templateId}'`);

it('a read is repeated', async () => {
  const connectionLost = proxy.loseResponseTo(templateId);
  const response = await ada.get(templatePath());
  await connectionLost;
  expect(response.status).toBe(200);
});

it('a read that loses every connection gets a 503 with a reason', async () => {
  let isLosing = true;
  let lostConnections = 0;
  const loseConnections = async () => {
    while (isLosing) {
      await proxy.loseResponseTo(templateId);
      lostConnections++;
    }
  };
  void loseConnections();
  const { status, body, headers } = await ada.get<ErrorResponse>(templatePath());
  isLosing = false;
  expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
  expect(body.message).toContain('connection to the database was lost, and nothing was changed');
  expect(lostConnections).toBe(5);
  await ada.get(templatePath());
});

it('a transaction that has not sent COMMIT is run again', async () => {
  // The id is in the first statement of the transaction, so the connection is lost before COMMIT.
  const connectionLost = proxy.loseResponseTo(templateId);
  const response = await ada.put(templatePath(), { name: 'B' });
  await connectionLost;
  expect(response.status).toBe(200);
  expect([await countVersions(), await countEvents()]).toEqual([2, 2]);
});

it('a transaction whose session PostgreSQL ends is run again', async () => {
  const releaseLock = await galley.database.holdLock(
    'SELECT FROM documents WHERE id = $1 FOR UPDATE',
    [templateId],
  );
  const update = ada.put(templatePath(), { name: 'B' });
  await eventually('the change to wait, and its session to be terminated', async () => {
    const terminated = await galley.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'galley api' AND datname = current_database()
         AND wait_event_type = 'Lock'`,
    );
    return terminated.length > 0;
  });
  await releaseLock();
  expect((await update).status).toBe(200);
  expect([await countVersions(), await countEvents()]).toEqual([2, 2]);
});

it.each([
  ['COMMIT', () => ['COMMIT\0', ada.put<ErrorResponse>(templatePath(), { name: 'B' })] as const],
  [
    'a change of one statement',
    () =>
      [
        'Unheard',
        ada.post<ErrorResponse>('/api/templates', { name: 'Unheard', workspaceId }),
      ] as const,
  ],
])('if it is unknown whether %s was carried out, the response says so', async (_title, send) => {
  const before = await galley.database.count('outbox');
  const [lostStatement, response] = send();
  const connectionLost = proxy.loseResponseTo(lostStatement);
  const { status, body } = await response;
  await connectionLost;
  expect([status, body.code]).toEqual([503, 'unavailable']);
  expect(body.message).toContain('may or may not have been made');
  // The change was made exactly once.
  expect(await galley.database.count('outbox')).toBe(before + 1);
});

// Behind a pooler, a new connection of Galley may get the pooler's old connection to PostgreSQL, which only an
// operator can replace.
const describeWithoutPooler = process.env['TEST_POOLER'] ? describe.skip : describe;

describeWithoutPooler(
  'after a failover, when the connections of the pool lead to a read-only server',
  () => {
    // A database that is read-only for its sessions responds as a standby does.
    const setReadOnly = async (setting: string) => {
      // The connection may have been made while the database was read-only.
      await galley.database.query(`BEGIN READ WRITE;
        DO $$ BEGIN EXECUTE format('ALTER DATABASE %I ${setting}', current_database()); END $$;
        COMMIT`);
    };
    const fillPool = () => Promise.all(Array.from({ length: 20 }, () => ada.get(templatePath())));

    beforeEach(async () => {
      await setReadOnly('SET default_transaction_read_only = on');
      await galley.database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'galley api' AND datname = current_database()`,
      );
      await fillPool();
    });
    afterEach(() => setReadOnly('RESET default_transaction_read_only'));

    it('a change gets a 503 with a reason while there is no other server', async () => {
      const { status, body, headers } = await ada.put<ErrorResponse>(templatePath(), { name: 'B' });
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
      expect(body.message).toContain('read-only');
      await setReadOnly('RESET default_transaction_read_only');
      expect((await ada.put(templatePath(), { name: 'B' })).status).toBe(200);
    });

    it.each([
      ['a transaction', () => ada.put(templatePath(), { name: 'B' })],
      ['a change of one statement', () => ada.post('/api/templates', { name: 'B', workspaceId })],
    ])('%s is run again on a new connection', async (_title, change) => {
      await setReadOnly('RESET default_transaction_read_only');
      expect((await change()).status).toBeLessThan(300);
    });

    it('the API is not ready, and a readiness check replaces the connections', async () => {
      const readiness = () => ada.get<ErrorResponse>('/health/ready');
      await eventually('the API not to be ready', async () => (await readiness()).status === 503);
      expect((await readiness()).body.message).toContain('read-only');
      await setReadOnly('RESET default_transaction_read_only');
      await eventually('the API to be ready', async () => (await readiness()).status === 200);
    });
  },
);

it.each([['disk_full'], ['out_of_memory'], ['io_error'], ['query_canceled']])(
  'a change that PostgreSQL cannot make now (%s) gets a 503',
  async (condition) => {
    await galley.database.query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${condition}'; END $$;
    CREATE TRIGGER fail BEFORE UPDATE ON documents FOR EACH ROW EXECUTE FUNCTION fail()`);
    const { status, body, headers } = await ada.put<ErrorResponse>(templatePath(), { name: 'B' });
    await galley.database.query('DROP FUNCTION fail CASCADE');
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    expect(body.message).toContain('nothing was changed');
    expect([await countVersions(), await countEvents()]).toEqual([1, 1]);
  },
);
