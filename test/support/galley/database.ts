import pg from 'pg';
import { partitionsBetween } from '#database';
import { cloneTemplate, type ClonedDatabase } from './clone-template.js';

export interface TestDatabase extends ClonedDatabase {
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** How many rows a table has. */
  count(table: string): Promise<number>;
  /** Runs a statement in a transaction of its own. @returns a function that commits, which releases the locks. */
  holdLock(statement: string, values?: unknown[]): Promise<() => Promise<void>>;
}

/** A database for one test file, cloned from a template: by default the migrated one. */
export async function createDatabase(template?: string): Promise<TestDatabase> {
  const { url, pooledUrl, drop } = await cloneTemplate(template);
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
      await drop();
    },
  };
}

/** Galley creates only partitions for coming weeks; rows with past times need partitions of their weeks. */
export async function createPartitionsSince(database: TestDatabase, from: Date): Promise<void> {
  for (const [name, statement] of partitionsBetween(from, new Date())) {
    const [row] = await database.query<{ known: boolean }>(
      'SELECT to_regclass($1) IS NOT NULL AS known',
      [name],
    );
    if (!row?.known) await database.query(statement);
  }
}
