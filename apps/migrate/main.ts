import { Logger } from '@nestjs/common';
import { createLogger, migrateConfig, start } from '#config';
import { awaitDatabase, migrate } from '#database';
import { migrateQueue } from '#queue';

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
