/*
 * Writes `libs/<lib>/queries.sql`: the statements of each lib as PostgreSQL gets them. Runs the tests of the API, whose
 * programs record their statements.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '#database';
import { startPostgres } from '../../dist/apps/standalone/postgres/postgres.js';
import { printQueries, queriesFile, readRecorded } from './print-queries.ts';

const folder = await mkdtemp(join(tmpdir(), 'galley-statements-'));
const dataDir = await mkdtemp(join(tmpdir(), 'galley-queries-'));
const postgres = await startPostgres({ dataDir, flags: ['-c', 'fsync=off'] });
try {
  const { status } = spawnSync('jest', ['--selectProjects', 'api', '--config', 'jest.config.js'], {
    stdio: 'inherit',
    env: { ...process.env, RECORD_STATEMENTS: folder },
  });
  if (status !== 0) throw new Error('The tests of the API have failed.');
  const url = postgres.urlOf('postgres');
  await migrate(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // The server that stops below ends the connection after an error.
  client.on('error', () => undefined);
  // Lists forward in time read this setting.
  await client.query(`SELECT set_config('galley.low_watermark', now()::text, false)`);
  const byLib = Map.groupBy(await readRecorded(folder), ({ source }) => source.lib);
  for (const [lib, queries] of byLib) {
    await writeFile(queriesFile(lib), await printQueries(client, queries));
  }
  await client.end();
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}
