/*
 * Migrates the schemas of the queue and of Galley, and exits. The API and the worker do not run migrations: they are
 * not ready until this program has run.
 */
import { requireNodeVersion } from '#node-version';
import { endOnSignals } from '#signals';

endOnSignals();
requireNodeVersion();
const { Logger } = await import('@nestjs/common');
const {
  createLogger,
  resolveDirectUrl,
  loadMigrateConfig,
  requireArguments,
  start,
  warnOfUnknownVariables,
} = await import('#config');
const { explainMissingRights, waitForDatabase, migrate } = await import('#database');
const { migrateQueue } = await import('#queue');

requireArguments(
  'npm run migrate: migrates the database of DATABASE_URL or DATABASE_DIRECT_URL. The command takes no arguments.',
  (args) => args.length === 0,
);
await start(
  'migrate',
  async () => {
    const config = loadMigrateConfig(process.env);
    const url = resolveDirectUrl(config);
    const logger = createLogger(config);
    Logger.overrideLogger(logger);
    warnOfUnknownVariables(process.env, logger);
    await waitForDatabase(url);
    // The queue is migrated first. A program that finds Galley's own schema up to date can therefore rely on the schema
    // of the queue.
    const applied = await migrate(url, () => migrateQueue(url)).catch(async (error: unknown) => {
      throw await explainMissingRights(error, url);
    });
    process.stdout.write(
      applied.length > 0 ? `Ran ${applied.join(', ')}.\n` : 'Nothing to migrate.\n',
    );
  },
  'failed',
);
