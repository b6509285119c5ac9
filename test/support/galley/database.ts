import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { allPartitionsBetween } from '#database';

export interface TestDatabase {
  /** The URL of the database on PostgreSQL itself. */
  url: string;
  /** The URL for Galley's programs: that of the pooler, if the tests run with one. */
  pooledUrl: string;
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** How many rows a table has. */
  count(table: string): Promise<number>;
  /** Runs a statement in a transaction of its own. @returns a function that commits, which releases the locks. */
  holdLock(statement: string, values?: unknown[]): Promise<() => Promise<void>>;
  drop(): Promise<void>;
}

const required = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; the global set-up sets it.`);
  return value;
};

const migratedTemplate = () => required('GALLEY_TEST_TEMPLATE');

/** A database for one test file, cloned from the migrated template. */
export async function createDatabase(template = migratedTemplate()): Promise<TestDatabase> {
  const server = required('GALLEY_TEST_SERVER');
  const name = `galley_test_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  // Commits need not wait for the disk, because test data may be lost in a crash. The embedded server has the
  // same setting.
  await admin.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const poolerHost = process.env['GALLEY_TEST_POOLER'];
  const pooledUrl = Object.assign(new URL(url), poolerHost && { host: poolerHost }).href;
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  // A connection that is still closing when its database is dropped reports an error, which does no harm.
  pool.on('error', () => undefined);
  const query = async <Row extends object>(text: string, values?: unknown[]) =>
    (await pool.query<Row>(text, values)).rows;
  return {
    url,
    pooledUrl,
    query,
    count: async (table) => {
      const rows = await query<{ count: number }>(
        `SELECT count(*)::integer AS count FROM ${table}`,
      );
      return rows[0]?.count ?? 0;
    },
    holdLock: async (statement, values) => {
      const client = new pg.Client(url);
      await client.connect();
      await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
      await client.query(statement, values);
      return async () => {
        await client.query('COMMIT');
        await client.end();
      };
    },
    drop: async () => {
      await pool.end();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
    },
  };
}

/** Galley creates only partitions for coming weeks; rows with past times need partitions of their weeks. */
export async function createPartitionsSince(database: TestDatabase, from: Date): Promise<void> {
  for (const [name, statement] of allPartitionsBetween(from, new Date())) {
    const [row] = await database.query<{ known: boolean }>(
      'SELECT to_regclass($1) IS NOT NULL AS known',
      [name],
    );
    if (!row?.known) await database.query(statement);
  }
}
