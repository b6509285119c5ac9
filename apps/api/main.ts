/*
 * The REST API. It writes changes and their events to PostgreSQL and leaves deliveries to the worker.
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
  loadApiConfig,
  requireArguments,
  start,
  warnOfUnknownVariables,
} = await import('#config');
requireArguments(
  'npm run start:api: runs the API until it gets a signal. The command takes no arguments; docs/run/configuration.md lists its variables.',
  (args) => args.length === 0,
);
const { createApi } = await import('./api.js');

await start('api', async () => {
  const config = loadApiConfig(process.env);
  const logger = createLogger(config);
  logConsole(logger);
  warnOfUnknownVariables(process.env, logger);
  const app = await createApi(config);
  await listen(app, { variable: 'PORT', port: config.PORT, host: config.HOST });
  announce(logger, 'API', await app.getUrl(), config);
});
