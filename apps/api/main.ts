/*
 * The REST API. It writes changes and their events to PostgreSQL and leaves deliveries to the worker.
 */
import { requireNodeVersion } from '#node-version';

requireNodeVersion();
const { loadApiConfig, start } = await import('#config');
const { createApi } = await import('./api.js');

await start('api', async () => {
  const config = loadApiConfig(process.env);
  const app = await createApi(config);
  await app.listen(config.PORT, config.HOST);
});
