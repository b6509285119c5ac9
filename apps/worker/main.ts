/*
 * The worker. It relays events from the outbox, sends the deliveries, and deletes what has expired. Its
 * only HTTP routes are the health checks.
 */
import { requireNodeVersion } from '#node-version';

requireNodeVersion();
const { start, loadWorkerConfig } = await import('#config');
const { createWorker } = await import('./worker.js');

await start('worker', async () => {
  const config = loadWorkerConfig(process.env);
  const app = await createWorker(config);
  await app.listen(config.WORKER_PORT, config.HOST);
});
