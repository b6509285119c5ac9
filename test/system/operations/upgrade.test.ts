import { expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { migrate, migrations } from '#database';
import { DataSource } from 'typeorm';
import { createDatabase } from '../../support/galley/database.js';
import { eventually } from '../../support/eventually.js';

it('a database of Galley 0.1.0 is refused, and keeps its tables', async () => {
  const database = await createDatabase('template0');
  await database.query(`
    CREATE TABLE migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL);
    INSERT INTO migrations (timestamp, name) VALUES (1763683200000, 'Identity1763683200000');
    CREATE TABLE users (id uuid PRIMARY KEY)`);
  let isPrepared = false;
  const prepare = () => Promise.resolve((isPrepared = true));
  await expect(migrate(database.url, prepare)).rejects.toThrow(
    /schema of Galley 0\.1\.0.*`npm run workspace -- export`.*import.*new database/,
  );
  expect(isPrepared).toBe(false);
  expect(await database.count('migrations')).toBe(1);
  expect(await database.count('users')).toBe(0);
  await database.drop();
});

it('a new database that cannot store every text is refused', async () => {
  const server = new pg.Client(process.env['GALLEY_TEST_SERVER']);
  await server.connect();
  const name = `galley_test_ascii_${process.pid}`;
  await server.query(
    `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'`,
  );
  const url = new URL(process.env['GALLEY_TEST_SERVER'] ?? '');
  url.pathname = `/${name}`;
  await expect(migrate(url.href)).rejects.toThrow(
    "The encoding of the database is SQL_ASCII, but Galley needs UTF8: create a new database with ENCODING 'UTF8'.",
  );
  await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await server.end();
});

// Its trigger on this table needs a lock that conflicts with those of writes.
const MIGRATION = 'Operations';
const LOCK_ENDPOINTS = 'LOCK TABLE webhook_endpoints IN ROW EXCLUSIVE MODE';
const LOCK_WAITERS = `pg_stat_activity WHERE application_name = 'galley migrate'
  AND datname = current_database() AND wait_event_type = 'Lock'`;

/** A database that lacks `MIGRATION` and the later migrations, and two transactions on it. */
async function startTwoTransactions() {
  const database = await createDatabase();
  const dataSource = new DataSource({ type: 'postgres', url: database.url, migrations });
  await dataSource.initialize();
  const pending = migrations.slice(migrations.findIndex(({ name }) => name.startsWith(MIGRATION)));
  for (let count = 0; count < pending.length; count++) await dataSource.undoLastMigration();
  await dataSource.destroy();
  const startTransaction = async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('BEGIN');
    return client;
  };
  return {
    database,
    names: pending.map(({ name }) => name),
    first: await startTransaction(),
    second: await startTransaction(),
    waitForMigration: () =>
      eventually('the migration to wait', async () => (await database.count(LOCK_WAITERS)) === 1),
  };
}

it('a migration that waits for a lock lets other statements pass, and is retried', async () => {
  Logger.overrideLogger(false);
  const { database, names, first, second, waitForMigration } = await startTwoTransactions();
  await first.query(LOCK_ENDPOINTS);
  const migration = migrate(database.url);
  await waitForMigration();
  // This statement waits behind the migration. If the migration did not give up its wait, both would wait
  // for as long as the first transaction holds its lock.
  await second.query(`SET LOCAL lock_timeout = '20s'; ${LOCK_ENDPOINTS}`);
  await Promise.all([first.end(), second.end()]);
  expect(await migration).toEqual(names);
  await database.drop();
});

it('a migration that PostgreSQL ends because of a deadlock is retried', async () => {
  Logger.overrideLogger(false);
  const { database, names, first, second, waitForMigration } = await startTwoTransactions();
  // The migration locks the endpoints first. Then it waits here, to add its own name to this table.
  await first.query('LOCK TABLE migrations IN SHARE MODE');
  const migration = migrate(database.url);
  await waitForMigration();
  // PostgreSQL ends the transaction that first looks for a deadlock. With this setting, that is the
  // migration.
  await first.query(`SET LOCAL deadlock_timeout = '1min'; ${LOCK_ENDPOINTS}`);
  await Promise.all([first.end(), second.end()]);
  expect(await migration).toEqual(names);
  await database.drop();
});
