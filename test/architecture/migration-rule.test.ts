import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { migrations } from '#database';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { createDatabase, type TestDatabase } from '../support/galley/database.js';

/*
 * The rule for migrations (CONTRIBUTING.md): programs of the previous version go on during a migration, on
 * tables with many rows. Therefore a migration
 *
 * - rewrites no table,
 * - reads no whole table while it holds a lock that blocks reads or writes of that table,
 * - removes no table or column and adds no column that a writer must fill.
 *
 * PostgreSQL counts scans of empty tables, too, so the test needs no rows.
 */

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createDatabase('template0');
  dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

interface Table {
  id: number;
  name: string;
  file: number;
  scans: number;
  isLocked: boolean;
  /** The columns, with types. */
  columns: string[];
  /** Columns that a writer must fill. */
  required: string[];
}

/** The tables, with the scans and locks of the transaction that `runner` is in. */
const readTables = async (runner: QueryRunner) =>
  (await runner.query(`
    SELECT tables.oid::integer AS id, relname AS name, relfilenode::integer AS file,
      pg_stat_get_xact_numscans(tables.oid)::integer AS scans,
      EXISTS (
        SELECT FROM pg_locks
        WHERE pid = pg_backend_pid() AND relation = tables.oid
          AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
      ) AS "isLocked",
      array(
        SELECT attname || ' ' || format_type(atttypid, atttypmod) FROM pg_attribute
        WHERE attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
      ) AS columns,
      array(
        SELECT attname::text FROM pg_attribute
        WHERE attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
          AND attnotnull AND NOT atthasdef AND attidentity = ''
      ) AS required
    FROM pg_class tables
    WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
    ORDER BY relname`)) as Table[];

const LOCKING =
  /^\s*(ALTER|DROP|CREATE\s+(UNIQUE\s+)?INDEX|LOCK|REINDEX|CLUSTER|TRUNCATE|VACUUM)\b/i;
const HARMLESS = /\bCONCURRENTLY\b|\bVALIDATE CONSTRAINT\b/i;

/** Runs a migration, and returns how it breaks the rule. */
async function findViolations(
  migration: MigrationInterface,
  { isUndone = false } = {},
): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  const violations: string[] = [];
  // A migration without a transaction does its work in steps. Its locks end with each statement, so only the
  // statements tell.
  const hasTransaction = migration.transaction !== false;
  const query = runner.query.bind(runner);
  const statements: string[] = [];
  runner.query = (text: string, ...rest: []) => {
    statements.push(text);
    return query(text, ...rest);
  };
  if (hasTransaction) await runner.startTransaction();
  const before = await readTables(runner);
  await migration.up(runner);
  const after = new Map((await readTables(runner)).map((table) => [table.id, table]));
  if (isUndone) await runner.rollbackTransaction();
  else if (hasTransaction) await runner.commitTransaction();
  await runner.release();
  if (!hasTransaction) {
    const locking = statements.filter((text) => LOCKING.test(text) && !HARMLESS.test(text));
    violations.push(...locking.map((text) => `locks a table: ${text}`));
  }
  for (const { id, name, file, scans, columns, required } of before) {
    const table = after.get(id);
    if (table?.name !== name) {
      violations.push(`removes ${name}`);
      continue;
    }
    if (table.file !== file) violations.push(`rewrites ${name}`);
    if (table.isLocked && table.scans > scans) violations.push(`scans ${name} under a lock`);
    const removed = columns.filter((column) => !table.columns.includes(column));
    if (removed.length > 0) violations.push(`removes or changes ${name} (${removed.join(', ')})`);
    const added = table.required.filter((column) => !required.includes(column));
    if (added.length > 0) violations.push(`requires ${name} (${added.join(', ')})`);
  }
  return violations;
}

/** Released migrations, which never change, and unreleased ones with a reason. */
const EXCEPTIONS: Record<string, string[]> = {
  // A view of this name serves the previous programs.
  WebhookTraffic1764547209000: ['removes webhook_flows'],
};

it('no migration blocks or breaks programs of the previous version', async () => {
  const found: Record<string, string[]> = {};
  for (const Migration of migrations) {
    const violations = await findViolations(new Migration());
    if (violations.length > 0) found[Migration.name] = violations.map(withoutWeek);
  }
  expect(found).toEqual(EXCEPTIONS);
});

const withoutWeek = (violation: string) => violation.replace(/_\d{4}_\d\d_\d\d/, '_<week>');

it.each([
  ['ALTER TABLE users ALTER COLUMN status TYPE varchar(20)', 'rewrites users'],
  ['ALTER TABLE users ADD COLUMN note text DEFAULT random()::text', 'rewrites users'],
  ['CREATE INDEX ON users (status)', 'scans users under a lock'],
  ['ALTER TABLE users ALTER COLUMN verified_email SET NOT NULL', 'scans users under a lock'],
  [`ALTER TABLE users ADD CHECK (status <> '')`, 'scans users under a lock'],
  [`LOCK TABLE users; UPDATE users SET kind = ''`, 'scans users under a lock'],
  ['ALTER TABLE users DROP COLUMN kind', 'removes or changes users'],
  ['ALTER TABLE users RENAME COLUMN kind TO sort', 'removes or changes users'],
  ['DROP TABLE audit_entries', 'removes audit_entries'],
  ['ALTER TABLE users ADD COLUMN note text NOT NULL', 'requires users (note)'],
])('the rule finds: %s', async (statement, violation) => {
  const migration = {
    up: async (runner: QueryRunner) => {
      await runner.query(statement);
    },
    down: () => Promise.resolve(),
  };
  expect((await findViolations(migration, { isUndone: true })).join()).toContain(violation);
});
