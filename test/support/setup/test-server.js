import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '#database';
import { migrateQueue } from '#queue';
import pg from 'pg';
import { startPgBouncer } from '../network/pgbouncer.ts';
import { startPostgres } from '../../../dist/apps/standalone/postgres/postgres.js';

// No test needs its data after a crash of the machine, so commits need not wait for the disk.
const UNSAFE_BUT_FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

// The projects `api` and `system` share the server.
let users = 0;
let stopServer;

/**
 * Runs the migrations once, on the server of DATABASE_URL or on an embedded one. Leaves a template
 * database, which every test file clones. With TEST_POOLER=pgbouncer, Galley's programs reach all databases
 * through PgBouncer; the tests' own statements and DATABASE_DIRECT_URL go to PostgreSQL itself.
 */
export async function useTestServer() {
  if (users++ === 0) stopServer = await startTestServer();
}

export async function leaveTestServer() {
  if (--users === 0) await stopServer();
}

async function startTestServer() {
  const postgres = process.env.DATABASE_URL ? undefined : await startEmbedded();
  const server = process.env.DATABASE_URL || postgres.url;
  const template = `galley_test_${process.pid}`;
  await run(
    server,
    `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`,
    `CREATE DATABASE ${template}`,
  );
  const url = Object.assign(new URL(server), { pathname: `/${template}` }).href;
  await migrate(url);
  await migrateQueue(url);
  const guards = ['outbox-guard.sql', 'audit-guard.sql'].map((file) =>
    readFile(new URL(file, import.meta.url), 'utf8'),
  );
  await run(url, ...(await Promise.all(guards)));
  let pooler;
  if (process.env.TEST_POOLER === 'pgbouncer') {
    // One entry for the databases of all tests. They commit asynchronously anyway, as the worker wants.
    pooler = await startPgBouncer(server, (configuration) =>
      configuration.replace('galley_api = host=postgres dbname=galley', '* = host=postgres'),
    );
    process.env.GALLEY_TEST_POOLER = pooler.host;
  }
  process.env.GALLEY_TEST_SERVER = server;
  process.env.GALLEY_TEST_TEMPLATE = template;
  return async () => {
    await pooler?.stop();
    await run(server, `DROP DATABASE ${template} WITH (FORCE)`);
    await postgres?.stop();
  };
}

async function startEmbedded() {
  const dataDir = await mkdtemp(join(tmpdir(), 'galley-test-'));
  const flags = UNSAFE_BUT_FAST.flatMap((setting) => ['-c', setting]);
  const postgres = await startPostgres({ dataDir, flags });
  return {
    url: postgres.urlOf('postgres'),
    stop: async () => {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function run(url, ...statements) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
