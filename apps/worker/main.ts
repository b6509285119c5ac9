import { start, workerConfig } from '#config';
import { createWorker } from './worker.js';

await start('worker', async () => {
  const config = workerConfig(process.env);
  const app = await createWorker(config);
  await app.listen(config.WORKER_PORT, config.HOST);
});
