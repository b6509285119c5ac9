import { randomUUID } from 'node:crypto';
import pg from 'pg';

// Jest's global set-up imports this file without a transformation (see pgbouncer.ts).

export interface ClonedDatabase {
  /** The URL of the database on PostgreSQL itself. */
  url: string;
  /** The URL for Galley's programs: that of the pooler, if the tests run with one. */
  pooledUrl: string;
  drop: () => Promise<void>;
}

const required = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; the global set-up sets it.`);
  return value;
};

/** A new database, cloned from a template: by default the migrated one. */
export async function cloneTemplate(template?: string): Promise<ClonedDatabase> {
  const server = required('GALLEY_TEST_SERVER');
  const name = `galley_test_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(
    `CREATE DATABASE ${name} TEMPLATE ${template ?? required('GALLEY_TEST_TEMPLATE')}`,
  );
  // Commits need not wait for the disk, because test data may be lost in a crash. The embedded server has the
  // same setting.
  await admin.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const poolerHost = process.env['GALLEY_TEST_POOLER'];
  return {
    url,
    pooledUrl: Object.assign(new URL(url), poolerHost && { host: poolerHost }).href,
    drop: async () => {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
    },
  };
}
