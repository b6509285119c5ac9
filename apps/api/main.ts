import { requireNodeVersion } from '#node-version';

requireNodeVersion();
const { apiConfig, start } = await import('#config');
const { createApi } = await import('./api.js');

await start('api', async () => {
  const config = apiConfig(process.env);
  const app = await createApi(config);
  await app.listen(config.PORT, config.HOST);
});
