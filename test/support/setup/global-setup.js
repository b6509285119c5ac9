import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '#database';
import { migrateQueue } from '#queue';
import pg from 'pg';
import { startPgBouncer } from '../network/pgbouncer.ts';
import { startPostgres } from '../../../dist/apps/standalone/postgres/postgres.js';

// No test needs its data after a crash of the machine, so commits need not wait for the disk.
const UNSAFE_BUT_FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/**
 * Runs the migrations once, on the server of DATABASE_URL or on an embedded one. Leaves a template
 * database, which every test file clones. With TEST_POOLER=pgbouncer, Galley's programs reach all databases
 * through PgBouncer; the tests' own statements and DATABASE_DIRECT_URL go to PostgreSQL itself.
 */
export default async function setUp() {
  let server = process.env.DATABASE_URL;
  if (!server) {
    const dataDir = await mkdtemp(join(tmpdir(), 'galley-test-'));
    const flags = UNSAFE_BUT_FAST.flatMap((setting) => ['-c', setting]);
    const postgres = await startPostgres({ dataDir, flags });
    globalThis.__galleyPostgres = { dataDir, stop: () => postgres.stop() };
    server = postgres.urlOf('postgres');
  }
  const template = `galley_test_${process.pid}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${template}`);
  await admin.end();
  const url = Object.assign(new URL(server), { pathname: `/${template}` }).href;
  await migrate(url);
  await migrateQueue(url);
  const guard = new pg.Client({ connectionString: url });
  await guard.connect();
  for (const file of ['outbox-guard.sql', 'audit-guard.sql']) {
    await guard.query(await readFile(new URL(file, import.meta.url), 'utf8'));
  }
  await guard.end();
  if (process.env.TEST_POOLER === 'pgbouncer') {
    // One entry for the databases of all tests. They commit asynchronously anyway, as the worker wants.
    const pooler = await startPgBouncer(server, (configuration) =>
      configuration.replace('galley_api = host=postgres dbname=galley', '* = host=postgres'),
    );
    globalThis.__galleyPooler = pooler;
    process.env.GALLEY_TEST_POOLER = pooler.host;
  }
  process.env.GALLEY_TEST_SERVER = server;
  process.env.GALLEY_TEST_TEMPLATE = template;
}
