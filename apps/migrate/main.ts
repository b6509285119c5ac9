import { requireNodeVersion } from '#node-version';

requireNodeVersion();
const { Logger } = await import('@nestjs/common');
const { createLogger, migrateConfig, start } = await import('#config');
const { awaitDatabase, migrate } = await import('#database');
const { migrateQueue } = await import('#queue');

await start('migrate', async () => {
  const config = migrateConfig(process.env);
  const { DATABASE_URL } = config;
  Logger.overrideLogger(createLogger(config));
  await awaitDatabase(DATABASE_URL);
  // The queue first: whoever finds Galley's own schema up to date finds the queue's as well.
  await migrateQueue(DATABASE_URL);
  const done = await migrate(DATABASE_URL);
  process.stdout.write(done.length > 0 ? `Ran ${done.join(', ')}.\n` : 'Nothing to migrate.\n');
});
