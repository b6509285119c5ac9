import { requireNodeVersion } from '#node-version';

requireNodeVersion();
const { start, workerConfig } = await import('#config');
const { createWorker } = await import('./worker.js');

await start('worker', async () => {
  const config = workerConfig(process.env);
  const app = await createWorker(config);
  await app.listen(config.WORKER_PORT, config.HOST);
});
