/*
 * The worker relays events from the outbox, sends deliveries and deletes expired data. Its only HTTP routes are the
 * health checks.
 */
import { requireNodeVersion } from '#node-version';
import { endOnSignals } from '#signals';

endOnSignals();
requireNodeVersion();
const {
  announce,
  createLogger,
  listen,
  logConsole,
  loadWorkerConfig,
  requireArguments,
  start,
  warnOfUnknownVariables,
} = await import('#config');
requireArguments(
  'npm run start:worker: runs a worker until it gets a signal. The command takes no arguments; docs/run/configuration.md lists its variables.',
  (args) => args.length === 0,
);
const { createWorker } = await import('./worker.js');

await start('worker', async () => {
  const config = loadWorkerConfig(process.env);
  const logger = createLogger(config);
  logConsole(logger);
  warnOfUnknownVariables(process.env, logger);
  const app = await createWorker(config);
  await listen(app, { variable: 'WORKER_PORT', port: config.WORKER_PORT, host: config.HOST });
  announce(logger, 'worker', await app.getUrl(), config);
});
