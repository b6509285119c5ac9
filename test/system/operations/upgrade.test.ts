import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { createPostgresBackend, Queue } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { migrate, migrations } from '#database';
import { JobQueue } from '#queue';
import { DataSource } from 'typeorm';
import { createDatabase, type TestDatabase } from '../../support/galley/database.js';
import { eventually } from '../../support/eventually.js';

// The fifth migration separates work to do from history.
const MIGRATIONS_BEFORE = 4;

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase('template0');
  const dataSource = new DataSource({
    type: 'postgres',
    url: database.url,
    migrations: migrations.slice(0, MIGRATIONS_BEFORE),
  });
  await dataSource.initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
});
afterAll(() => database.drop());

it('events and deliveries of an earlier version survive its upgrade', async () => {
  await database.query(`
    INSERT INTO workspaces (id, name) VALUES ('00000000-0000-7000-8000-000000000001', 'Kitchen');
    INSERT INTO webhook_endpoints (id, workspace_id, url, events, description, encrypted_secret)
      VALUES ('00000000-0000-7000-8000-000000000002', '00000000-0000-7000-8000-000000000001',
        'https://example.com', '{template.created}', '', '');
    INSERT INTO modules (id, workspace_id, name, category, description, content)
      VALUES ('00000000-0000-7000-8000-000000000003', '00000000-0000-7000-8000-000000000001',
        'Footer', '', '', '{}');
    -- Eight weeks of events; the last two events have not been relayed.
    INSERT INTO outbox (id, kind, workspace_id, resource_id, data, occurred_at, dispatched_at)
      SELECT ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
        CASE WHEN n < 5 OR n = 8 THEN 'module.updated' ELSE 'template.updated' END,
        '00000000-0000-7000-8000-000000000001',
        CASE WHEN n < 5 OR n = 8 THEN '00000000-0000-7000-8000-000000000003'::uuid
          ELSE '00000000-0000-7000-8000-000000000004' END,
        json_build_object('version', CASE WHEN n BETWEEN 5 AND 7 THEN n END),
        now() - interval '1 week' * (9 - n), CASE WHEN n < 7 THEN now() END
      FROM generate_series(1, 8) n;
    INSERT INTO webhook_deliveries (id, event_id, endpoint_id, status, attempts)
      SELECT id, id, '00000000-0000-7000-8000-000000000002',
        (ARRAY['delivered', 'failed', 'held', 'pending', 'delivered', 'delivered'])[row_number() OVER (ORDER BY id)],
        1
      FROM outbox WHERE dispatched_at IS NOT NULL;
    INSERT INTO webhook_attempts (delivery_id, id, started_at, duration_ms, status_code)
      SELECT id, id, now(), 5, 204 FROM webhook_deliveries`);

  await migrate(database.url);

  const events = await database.query(
    'SELECT position::integer, kind, sequence FROM events ORDER BY position',
  );
  expect(events).toEqual([
    ...[1, 2, 3, 4].map((n) => ({ position: n, kind: 'module.updated', sequence: n })),
    ...[5, 6].map((n) => ({ position: n, kind: 'template.updated', sequence: n })),
  ]);
  expect(await database.query('SELECT position::integer FROM workspace_feeds')).toEqual([
    { position: 6 },
  ]);
  expect(await database.query('SELECT sequence FROM outbox ORDER BY number')).toEqual([
    { sequence: 7 },
    { sequence: 5 },
  ]);
  expect(await database.query('SELECT events FROM modules')).toEqual([{ events: 5 }]);
  const unfinishedDeliveries =
    'webhook_deliveries JOIN events ON position = event_position AND event_id = events.id';
  expect(await database.count(unfinishedDeliveries)).toBe(2);
  const statuses = await database.query(
    `SELECT status, count(*)::integer, count(attempt.delivery_id)::integer AS attempts
     FROM webhook_delivery_log log LEFT JOIN webhook_attempts attempt ON attempt.delivery_id = log.id
     GROUP BY status ORDER BY status`,
  );
  expect(statuses).toEqual([
    { status: 'delivered', count: 3, attempts: 3 },
    { status: 'failed', count: 1, attempts: 1 },
  ]);
  expect(await database.count('webhook_flows WHERE wake_at IS NOT NULL')).toBe(1);
});

/** A database with the schema before the migration whose name begins with `name`. */
async function createDatabaseBefore(name: string): Promise<TestDatabase> {
  const database = await createDatabase('template0');
  const dataSource = new DataSource({
    type: 'postgres',
    url: database.url,
    migrations: migrations.slice(
      0,
      migrations.findIndex((migration) => migration.name.startsWith(name)),
    ),
    migrationsTransactionMode: 'each',
  });
  await dataSource.initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
  return database;
}

describe('the upgrade to versions of modules', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabaseBefore('ModuleVersions');
    await database.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'Kitchen')`, [workspaceId]);
    await insertModules(1, 450);
    await migrate(database.url);
  });
  afterAll(() => database.drop());

  const workspaceId = '00000000-0000-7000-8000-000000000001';
  /** Like a service of the earlier version. */
  const insertModules = (first: number, last: number) =>
    database.query(
      `INSERT INTO modules (id, workspace_id, name, category, description, content, events)
       SELECT lpad(n::text, 32, '0')::uuid, $1, 'Module ' || n, 'Category', 'Text', '{"a": 1.0}', 1
       FROM generate_series($2::integer, $3::integer) n`,
      [workspaceId, first, last],
    );
  const versionsOf = (name: string) =>
    database.query(
      `SELECT version.version, version.name, version.category, version.description,
         version.content::text AS content, version.created_by AS "createdBy"
       FROM modules JOIN module_versions version ON module_id = modules.id
       WHERE modules.name = $1 ORDER BY version.version`,
      [name],
    );
  const first = { version: 1, category: 'Category', description: 'Text', createdBy: null };

  it('gives each module version 1', async () => {
    expect(await database.count('module_versions WHERE version = 1')).toBe(450);
    expect(await versionsOf('Module 450')).toEqual([
      { ...first, name: 'Module 450', content: '{"a": 1.0}' },
    ]);
  });

  it('counts and stores the versions that services of the earlier version make', async () => {
    await insertModules(451, 451);
    const change = `UPDATE modules SET name = 'Changed', content = '{}', events = events + 1`;
    await database.query(`${change} WHERE name = 'Module 451'`);
    expect(await versionsOf('Changed')).toEqual([
      { ...first, name: 'Module 451', content: '{"a": 1.0}' },
      { ...first, version: 2, name: 'Changed', content: '{}' },
    ]);
    expect(await database.query(`SELECT version FROM modules WHERE name = 'Changed'`)).toEqual([
      { version: 2 },
    ]);
  });

  it('keeps a version that is replaced before the upgrade has stored it', async () => {
    await database.query(
      `DELETE FROM module_versions USING modules WHERE module_id = id AND modules.name = 'Module 7'`,
    );
    const change = `UPDATE modules SET description = 'New', events = events + 1`;
    await database.query(`${change} WHERE name = 'Module 7'`);
    expect(await versionsOf('Module 7')).toMatchObject([first, { version: 2, description: 'New' }]);
  });
});

it('the upgrade to versions of modules goes on if a module is deleted meanwhile', async () => {
  const database = await createDatabaseBefore('FirstModuleVersions');
  const ids = [1, 2].map((n) => `00000000-0000-7000-8000-00000000000${n}`);
  await database.query(`
    INSERT INTO workspaces (id, name) VALUES ('${ids[0]}', 'Kitchen');
    ALTER TABLE modules DISABLE TRIGGER append_module_version;
    INSERT INTO modules (id, workspace_id, name, category, description, content, events)
      SELECT id, '${ids[0]}', 'Module', '', '', '{}', 1 FROM unnest('{${ids.join(',')}}'::uuid[]) id;
    ALTER TABLE modules ENABLE TRIGGER append_module_version`);
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query(`BEGIN; DELETE FROM modules WHERE id = '${ids[0]}'`);
  const migrated = migrate(database.url);
  for (let waiting = 0; waiting === 0;) {
    waiting = await database.count(
      `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
  }
  await client.query('COMMIT');
  await client.end();
  await migrated;
  expect(await database.query('SELECT module_id AS id FROM module_versions')).toEqual([
    { id: ids[1] },
  ]);
  await database.drop();
});

describe('the upgrade to the trash', () => {
  let database: TestDatabase;
  const ids = [1, 2, 3].map((n) => `00000000-0000-7000-8000-00000000000${n}`);
  const [workspaceId = '', templateId = '', moduleId = ''] = ids;

  beforeAll(async () => {
    database = await createDatabaseBefore('Trash');
    await database.query(`
      INSERT INTO users (id, issuer, subject) VALUES ('${workspaceId}', 'a', 'b');
      INSERT INTO workspaces (id, name) VALUES ('${workspaceId}', 'Kitchen');
      INSERT INTO templates (id, workspace_id, name) VALUES ('${templateId}', '${workspaceId}', 'A');
      INSERT INTO modules (id, workspace_id, name, category, description, content, events)
        VALUES ('${moduleId}', '${workspaceId}', 'B', '', '', '{}', 1);
      INSERT INTO template_versions (template_id, version, name, content, created_by)
        VALUES ('${templateId}', 1, 'A', '{}', '${workspaceId}')`);
    await migrate(database.url);
  });
  afterAll(() => database.drop());

  it('keeps all documents, with the sequences of their events', async () => {
    const sequences = await database.query(
      `SELECT version + unversioned_events AS sequence FROM templates
       UNION ALL SELECT events FROM modules`,
    );
    expect(sequences).toEqual([{ sequence: 1 }, { sequence: 1 }]);
    expect(await database.count('template_versions')).toBe(1);
    expect(await database.count('module_versions')).toBe(1);
  });

  it('leaves the versions of what services of the earlier version delete to the purge', async () => {
    await database.query(
      `WITH template AS (
         UPDATE templates SET version = version + 1 WHERE id = $1 RETURNING id, version, name
       )
       INSERT INTO template_versions (template_id, version, name, content, created_by)
       SELECT id, version, name, '{}', $2 FROM template`,
      [templateId, workspaceId],
    );
    await database.query('DELETE FROM templates WHERE id = $1 RETURNING version', [templateId]);
    await database.query('DELETE FROM modules WHERE id = ANY ($1)', [[moduleId]]);
    expect(await database.query('SELECT id FROM documents_to_purge ORDER BY id')).toEqual([
      { id: templateId },
      { id: moduleId },
    ]);
    await database.query('DELETE FROM workspaces WHERE id = $1', [workspaceId]);
    expect(await database.count('documents_to_purge')).toBe(2);
  });
});

const LOCK_OUTBOX = 'LOCK TABLE outbox IN ROW EXCLUSIVE MODE';
const LOCK_WAITERS = `pg_stat_activity WHERE application_name = 'galley migrate'
  AND datname = current_database() AND wait_event_type = 'Lock'`;

/** A database that lacks the migration `UnfinishedEvents1763683213600`, and two transactions on it. */
async function startTwoTransactions() {
  const database = await createDatabase();
  await database.query(
    `DROP INDEX outbox_unfinished;
     DELETE FROM migrations WHERE name = 'UnfinishedEvents1763683213600'`,
  );
  const startTransaction = async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('BEGIN');
    return client;
  };
  return {
    database,
    first: await startTransaction(),
    second: await startTransaction(),
    waitForMigration: () =>
      eventually('the migration to wait', async () => (await database.count(LOCK_WAITERS)) === 1),
  };
}

it('a migration that waits for a lock lets other statements pass, and is retried', async () => {
  Logger.overrideLogger(false);
  const { database, first, second, waitForMigration } = await startTwoTransactions();
  await first.query(LOCK_OUTBOX);
  const migration = migrate(database.url);
  await waitForMigration();
  // This statement waits behind the migration. If the migration did not give up its wait, both would wait
  // for as long as the first transaction holds its lock.
  await second.query(`SET LOCAL lock_timeout = '20s'; ${LOCK_OUTBOX}`);
  await Promise.all([first.end(), second.end()]);
  expect(await migration).toEqual(['UnfinishedEvents1763683213600']);
  await database.drop();
});

it('a migration that PostgreSQL ends because of a deadlock is retried', async () => {
  Logger.overrideLogger(false);
  const { database, first, second, waitForMigration } = await startTwoTransactions();
  // The migration locks the outbox first. Then it waits here, to add its own name to this table.
  await first.query('LOCK TABLE migrations IN SHARE MODE');
  const migration = migrate(database.url);
  await waitForMigration();
  // PostgreSQL ends the transaction that first looks for a deadlock. With this setting, that is the
  // migration.
  await first.query(`SET LOCAL deadlock_timeout = '1min'; ${LOCK_OUTBOX}`);
  await Promise.all([first.end(), second.end()]);
  expect(await migration).toEqual(['UnfinishedEvents1763683213600']);
  await database.drop();
});

const redisUrl = process.env['REDIS_URL'];

it.each([
  ['Redis', redisUrl],
  ['PostgreSQL', undefined],
])('jobs of the queue of an earlier version are removed from %s', async (backend, url) => {
  if (backend === 'Redis' && url === undefined) return;
  const queueDatabase = await createDatabase();
  const databaseUrl = queueDatabase.url;
  const prefix = `galley-test-${randomUUID()}`;
  const redis = url === undefined ? undefined : new Redis(url, { maxRetriesPerRequest: null });
  const pool = new pg.Pool({ connectionString: databaseUrl, options: '-c search_path=bullmq' });
  // Connections of the pool may still be closing when their database is dropped.
  pool.on('error', () => undefined);
  const oldQueue = redis
    ? new Queue('turns', { connection: redis, prefix })
    : new Queue('turns', { connection: pool }, createPostgresBackend);
  oldQueue.on('error', () => undefined);
  await oldQueue.add('turns', []);
  expect(await oldQueue.count()).toBe(1);

  const jobQueue = new JobQueue({
    databaseUrl,
    prefix,
    ...(url !== undefined && { redisUrl: url }),
  });
  jobQueue.consume(() => Promise.resolve());
  await eventually('the jobs to be removed', async () => (await oldQueue.count()) === 0);
  await jobQueue.onApplicationShutdown();
  await oldQueue.close();
  redis?.disconnect();
  await pool.end();
  await queueDatabase.drop();
});
