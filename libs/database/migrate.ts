import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { StartupError } from '#errors';
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { refuseEarlierSchema, requireUnicode } from './completeness/galley-tables.js';
import { ADVISORY_LOCKS } from './connection/advisory-locks.js';
import { connect } from './connection/connect.js';
import { sqlState } from './connection/sql-state.js';

const LOCK_POLL_MS = 200;
// While a migration waits for a table lock, all later statements on the table queue behind it. So the timeout is short.
const LOCK_TIMEOUT_MS = '5000';
// The pause is as long as the wait for the lock, so that the statements behind the migration can catch up. All tries
// together take almost two minutes. While Galley runs, each of its statements ends within 30 s, so they cannot block every
// try.
const RETRY_DELAY_MS = 5_000;
const MAX_TRIES = 12;
// lock_not_available and deadlock_detected. A deadlock can happen, because a migration locks several
// tables, and so do the statements of running programs.
const RETRYABLE = new Set(['55P03', '40P01']);

const logger = new Logger('PostgreSQL');

/**
 * Migrates the schema to the current version, and returns the names of the migrations that it ran. Several programs may
 * start at the same time, one in each new container: the first one migrates, and the others wait for it.
 *
 * @param prepare runs before the migrations, unless this function rejects the database.
 * @throws StartupError if a table stays locked, or if the database has an earlier schema or is not encoded in UTF-8.
 */
export async function migrate(
  url: string,
  prepare = (): Promise<unknown> => Promise.resolve(),
): Promise<string[]> {
  const dataSource = await connect({
    url,
    poolSize: 2,
    applicationName: 'galley migrate',
    // No timeout: building an index on a large table may take hours.
    statementTimeout: 0,
    settings: { lock_timeout: LOCK_TIMEOUT_MS },
    // The lock below belongs to a session, and a pooler would give the session to other clients.
    isDirect: true,
  });
  const lockRunner = dataSource.createQueryRunner();
  try {
    await waitForOtherMigrations(lockRunner);
    if (await lockRunner.hasTable('migrations')) {
      await refuseEarlierSchema((text) => lockRunner.query(text));
    } else await requireUnicode((text) => lockRunner.query(text));
    await prepare();
    const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
    await runMigrations(dataSource);
    return pending.map(({ name }) => name);
  } finally {
    // The lock is released when the session ends.
    await lockRunner.release();
    await dataSource.destroy();
  }
}

/**
 * Polls for the lock instead of waiting for it in a statement. A waiting statement would keep a transaction open.
 * CREATE INDEX CONCURRENTLY in another program waits until such transactions end, so the two programs would deadlock.
 */
async function waitForOtherMigrations(runner: QueryRunner): Promise<void> {
  for (;;) {
    const [row] = (await runner.query('SELECT pg_try_advisory_lock($1) AS "isLocked"', [
      ADVISORY_LOCKS.migration,
    ])) as { isLocked: boolean }[];
    if (row?.isLocked) return;
    await delay(LOCK_POLL_MS);
  }
}

/** Each migration has its own transaction, so a retry begins with the migration that failed. */
async function runMigrations(dataSource: DataSource): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await dataSource.runMigrations();
      return;
    } catch (error) {
      if (!RETRYABLE.has(sqlState(error))) throw error;
      if (tries === MAX_TRIES) throw new StartupError(TABLE_STAYS_LOCKED);
      logger.warn(
        { err: error, stage: 'migrate', attempt: tries, retryInMs: RETRY_DELAY_MS },
        'A migration could not lock a table, and will be retried.',
      );
      await delay(RETRY_DELAY_MS);
    }
  }
}

const TABLE_STAYS_LOCKED =
  'A migration cannot change a table, because another session, such as a backup or a long transaction, keeps the table locked. pg_locks shows which session. All earlier migrations have run. Run `npm run migrate` again later.';
