import type { Client } from 'pg';
import {
  ADVISORY_LOCKS,
  findUnfinishedRestore,
  requireUnicode,
  UNFINISHED_RESTORE,
} from '#database';
import { CommandError } from './command.js';
import { queryOn } from './postgres-tools.js';
import { DATA_SESSION } from './restore-data.js';

const MAX_SESSION_END_MS = 10_000;

/**
 * Refuses to run beside another restore of this database, and ends the session that a killed restore has left behind.
 */
export async function requireSoleRestore(client: Client): Promise<void> {
  // With this setting, PostgreSQL ends the session of a killed process even in the middle of a statement. Not every
  // platform supports the setting.
  await client.query(`SET client_connection_check_interval = '1s'`).catch(() => undefined);
  const [lock] = await queryOn<{ isLocked: boolean }>(
    client,
    'SELECT pg_try_advisory_lock($1) AS "isLocked"',
    [ADVISORY_LOCKS.restore],
  );
  if (!lock?.isLocked) throw new CommandError('Another restore of this database is running.');
  // The session of an earlier, killed restore may still be running a statement.
  await client.query(
    `SELECT pg_terminate_backend(pid, ${MAX_SESSION_END_MS}) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = '${DATA_SESSION}'`,
  );
}

/** Checks that the database is empty or, to finish a restore, contains the data of an unfinished restore. */
export async function requireState(client: Client, expected: 'empty' | 'restored'): Promise<void> {
  const [row] = await queryOn<{ tables: number }>(
    client,
    `SELECT count(*)::integer AS tables FROM pg_class
     WHERE relkind IN ('r', 'p') AND relnamespace::regnamespace::text IN ('public', 'bullmq')
       AND relname <> '${UNFINISHED_RESTORE}'`,
  );
  const tables = row?.tables ?? 0;
  const unfinished = await findUnfinishedRestore((text) => queryOn(client, text));
  const isUnfinished = unfinished !== undefined;
  if (expected === 'restored') {
    if (isUnfinished && tables > 0) return;
    throw new CommandError(
      tables > 0
        ? 'This database has no unfinished restore: there is nothing to do.'
        : 'The database does not contain the data of an unfinished restore: run npm run restore -- FILE',
    );
  }
  if (tables === 0) return requireUnicode((text) => queryOn(client, text));
  throw new CommandError(
    isUnfinished
      ? 'An interrupted restore has already stored all data of its backup in this database. To run its last steps, run npm run restore -- --finish. To restore another backup instead, create an empty database (CREATE DATABASE), and restore to that.'
      : `The database has ${tables} tables already, and a restore never replaces data: create an empty database (CREATE DATABASE), and restore to that.`,
  );
}

export async function requireNoPrograms(client: Client): Promise<void> {
  const programs = await queryOn<{ name: string }>(
    client,
    `SELECT DISTINCT application_name AS name FROM pg_stat_activity
     WHERE datname = current_database() AND application_name IN ('galley api', 'galley worker')`,
  );
  if (programs.length > 0) {
    throw new CommandError(
      `These programs are connected to the database: ${programs.map(({ name }) => name).join(', ')}. Stop these programs, and start them again after the restore.`,
    );
  }
}
