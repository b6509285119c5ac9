import { migrateConfig, start } from '#config';
import { migrate } from '#database';
import { migrateQueue } from '#queue';

await start('migrate', async () => {
  const { DATABASE_URL } = migrateConfig(process.env);
  // The queue first: whoever finds Galley's own schema up to date finds the queue's as well.
  await migrateQueue(DATABASE_URL);
  const done = await migrate(DATABASE_URL);
  process.stdout.write(done.length > 0 ? `Ran ${done.join(', ')}.\n` : 'Nothing to migrate.\n');
});
