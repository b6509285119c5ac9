/*
 * Restores a backup into an empty database: `npm run restore -- FILE`, or `-` for standard input. No other Galley
 * program may use the database meanwhile. Even after an interruption, the database contains either no data or all data
 * of the backup. The table `unfinished_restore` keeps the API and the worker from becoming ready until the restore is
 * finished.
 */
import { access, constants } from 'node:fs/promises';
import { requireNodeVersion } from '#node-version';
import { endOnSignals } from '#signals';

endOnSignals();
requireNodeVersion();
const { Logger } = await import('@nestjs/common');
const { createLogger, resolveDirectUrl, loadRestoreConfig, requireArguments } =
  await import('#config');
const {
  EARLIER_SCHEMA,
  FIRST_MIGRATION_TIME,
  isEarlierSchema,
  migrate,
  migrations,
  UNFINISHED_RESTORE,
} = await import('#database');
const { migrateQueue } = await import('#queue');
const { CommandError, abortOnSignals, messageOf, report, runCommand } =
  await import('./command.js');
const { connectTo, requireTools } = await import('./postgres-tools.js');
const { readMigrations, restoreData } = await import('./restore-data.js');
const { requireNoPrograms, requireSoleRestore, requireState } = await import('./restore-target.js');
const { findKeyProblem } = await import('./with-service.js');

// The event feed must not reuse positions that it assigned after the backup was created, because clients remember the
// last position they have read. The gap tells these clients to read everything again (docs/use/webhooks.md). No
// workspace can have had this many events since a backup.
const POSITION_GAP = 1_000_000_000;
const NEWER_RELEASE =
  'The backup was made by a newer release of Galley: restore it with that release';

const FINISH = 'run npm run restore -- --finish (the database already contains all data)';

// These statements commit together with the data.
const LAST_STATEMENTS = `
  DO $check$
    DECLARE unknown text := (
      SELECT string_agg(name, ', ') FROM migrations
      WHERE name <> ALL ('{${migrations.map(({ name }) => name).join(',')}}')
    );
    BEGIN
      IF EXISTS (SELECT FROM migrations WHERE timestamp < ${FIRST_MIGRATION_TIME}) THEN
        RAISE 'The backup ${EARLIER_SCHEMA}.';
      END IF;
      IF unknown IS NOT NULL THEN RAISE '${NEWER_RELEASE} (%).', unknown; END IF;
    END $check$;
  UPDATE workspace_feeds SET position = position + ${POSITION_GAP};`;

requireArguments(
  `npm run restore -- FILE: restores a backup to the empty database of DATABASE_URL or DATABASE_DIRECT_URL, from standard input if FILE is -. Needs SECRETS_KEYS.
npm run restore -- --finish: runs the last steps of an interrupted restore, if a message tells you to.`,
  ([argument, ...others]) =>
    others.length === 0 &&
    (argument === '--finish' || (argument !== undefined && !/^-./.test(argument))),
);
await runCommand(async () => {
  const signal = abortOnSignals();
  const [argument] = process.argv.slice(2);
  const path = argument === '--finish' ? undefined : argument;
  const config = loadRestoreConfig(process.env);
  const databaseUrl = resolveDirectUrl(config);
  Logger.overrideLogger(createLogger({ LOG_LEVEL: 'warn' }));
  const client = await connectTo(databaseUrl, 'restore');
  // Closing the connection also ends the statement that is running on it.
  signal.addEventListener('abort', () => void client.end());
  let next: string | undefined;
  try {
    await requireTools(['pg_restore', 'psql'], client, signal);
    await requireSoleRestore(client);
    await requireState(client, path === undefined ? 'restored' : 'empty');
    await requireNoPrograms(client);
    if (path === undefined) next = FINISH;
    else {
      await requireRestorable(path, signal);
      await client.query(
        `CREATE TABLE IF NOT EXISTS ${UNFINISHED_RESTORE} AS SELECT now() AS started_at`,
      );
      next = `run npm run restore -- ${path} again`;
      await restoreData(path, databaseUrl, LAST_STATEMENTS, signal);
      next = FINISH;
    }
    await migrateQueue(databaseUrl);
    const applied = await migrate(databaseUrl);
    if (applied.length > 0) report(`Ran ${applied.join(', ')}.`);
    // A backup contains no planner statistics.
    await client.query('ANALYZE');
    await client.query(`DROP TABLE ${UNFINISHED_RESTORE}`);
  } catch (error) {
    if (next !== undefined) {
      const when = signal.aborted ? '' : 'solve the problem below, and then ';
      report(`The restore is not finished: ${when}${next}.`);
    }
    signal.throwIfAborted();
    throw error;
  } finally {
    await client.end();
  }
  const problem = await findKeyProblem(config);
  if (problem !== undefined) {
    throw new CommandError(
      `The data is restored: do not restore it again. Solve this problem before you start the API and the worker: ${problem}`,
    );
  }
  report(
    'The data is restored, and SECRETS_KEYS contains every key that the data needs. Start the API and the worker.',
  );
});

/**
 * Refuses an unsuitable backup before anything is stored. Standard input can be read only once, so a backup from
 * standard input is checked only by `LAST_STATEMENTS`.
 */
async function requireRestorable(path: string, signal: AbortSignal): Promise<void> {
  if (path === '-') return;
  await access(path, constants.R_OK).catch((error: unknown) => {
    throw new CommandError(`The backup cannot be read: ${messageOf(error)}.`);
  });
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = (await readMigrations(path, signal)).filter((name) => !known.has(name));
  if (isEarlierSchema(unknown)) throw new CommandError(`The backup ${EARLIER_SCHEMA}.`);
  if (unknown.length > 0) throw new CommandError(`${NEWER_RELEASE} (${unknown.join(', ')}).`);
}
