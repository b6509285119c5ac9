/*
 * The REST API. It writes changes and their events to PostgreSQL and leaves deliveries to the worker.
 */
import { requireNodeVersion } from '#node-version';
import { endOnSignals } from '#signals';

endOnSignals();
requireNodeVersion();
const { announce, createLogger, listen, logConsole, loadApiConfig, start, warnOfUnknownVariables } =
  await import('#config');
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
