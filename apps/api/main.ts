import { apiConfig, start } from '#config';
import { createApi } from './api.js';

await start('api', async () => {
  const config = apiConfig(process.env);
  const app = await createApi(config);
  await app.listen(config.PORT, config.HOST);
});
