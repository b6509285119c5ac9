/*
 * Restores a backup to an empty database: `npm run restore -- FILE`, or `-` for standard input. No other
 * program of Galley may use the database meanwhile.
 */
import { open } from 'node:fs/promises';
import type { Client } from 'pg';
import { requireNodeVersion } from '#node-version';
import { endOnSignals } from '#signals';

endOnSignals();
requireNodeVersion();
const { Logger } = await import('@nestjs/common');
const { createLogger, loadRestoreConfig } = await import('#config');
const { migrate, migrations } = await import('#database');
const { migrateQueue } = await import('#queue');
const { CommandError, messageOf, report, runCommand } = await import('./command.js');
const { connectTo, requireTool, runTool } = await import('./postgres-tools.js');
const { EndpointSecrets } = await import('#webhooks');
const { withService } = await import('./with-service.js');

// All or nothing: after a failure the database is still empty.
const ARGUMENTS = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges'];

// Positions that the feed gave to events after the backup must not be given again, because clients remember
// the last position that they have read. A gap tells these clients to read everything again (docs/webhooks.md).
// No backup is so old that a workspace has had more events since.
const POSITION_GAP = 1_000_000_000;

await runCommand(async () => {
  const [path] = process.argv.slice(2);
  if (path === undefined) throw new CommandError('Name the file: npm run restore -- FILE');
  const config = loadRestoreConfig(process.env);
  const databaseUrl = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  Logger.overrideLogger(createLogger({ LOG_LEVEL: 'warn' }));
  const client = await connectTo(databaseUrl, 'restore');
  try {
    await requireTool('pg_restore', client);
    await requireEmptyDatabase(client);
    await restoreFrom(path, databaseUrl);
    await requireKnownMigrations(client);
    await client.query('UPDATE workspace_feeds SET position = position + $1', [POSITION_GAP]);
    await migrateQueue(databaseUrl);
    const applied = await migrate(databaseUrl);
    if (applied.length > 0) report(`Ran ${applied.join(', ')}.`);
    // A backup has no statistics for the planner.
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
  const problem = await withService(
    { ...config, DATABASE_URL: databaseUrl },
    [EndpointSecrets],
    (secrets) => secrets.problem(),
  );
  if (problem !== undefined) throw new CommandError(`The data is restored. ${problem}`);
  report('The data is restored, and SECRETS_KEY fits. Start the API and the worker.');
});

async function requireEmptyDatabase(client: Client): Promise<void> {
  const { rows } = await client.query<{ tables: number; programs: string[] }>(
    `SELECT (
       SELECT count(*)::integer FROM pg_class
       WHERE relkind IN ('r', 'p') AND relnamespace::regnamespace::text IN ('public', 'bullmq')
     ) AS tables, ARRAY(
       SELECT DISTINCT application_name FROM pg_stat_activity
       WHERE datname = current_database() AND application_name IN ('galley api', 'galley worker')
     ) AS programs`,
  );
  const { tables = 0, programs = [] } = rows[0] ?? {};
  if (tables > 0) {
    throw new CommandError(
      `The database has ${tables} tables already, and a restore never replaces data: create an empty database (CREATE DATABASE), and restore to that.`,
    );
  }
  if (programs.length > 0) {
    throw new CommandError(
      `These programs are connected to the database: ${programs.join(', ')}. Stop them until the restore is complete.`,
    );
  }
}

async function restoreFrom(path: string, databaseUrl: string): Promise<void> {
  if (path === '-') {
    await runTool('pg_restore', { databaseUrl, args: ARGUMENTS, input: 0 });
    return;
  }
  const file = await open(path, 'r').catch((error: unknown) => {
    throw new CommandError(`The backup cannot be read: ${messageOf(error)}.`);
  });
  try {
    await runTool('pg_restore', { databaseUrl, args: ARGUMENTS, input: file.fd });
  } finally {
    await file.close();
  }
}

async function requireKnownMigrations(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = rows.map(({ name }) => name).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new CommandError(
      `The backup is of a newer release of Galley, with the migrations ${unknown.join(', ')}. Create another empty database, and restore with that release.`,
    );
  }
}
