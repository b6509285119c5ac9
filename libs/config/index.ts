/*
 * Reads and validates the environment variables of each program (`variables.ts` lists them all), and sets
 * up logging. The code that uses a setting decides what the setting means.
 */
export {
  loadApiConfig,
  resolveDirectUrl,
  inspectEnvironment,
  loadMigrateConfig,
  loadRestoreConfig,
  loadWorkerConfig,
  type ApiConfig,
  type RestoreConfig,
  type WorkerConfig,
} from './config.js';
export { announce } from './announce.js';
export { listen } from './listen.js';
export { LogThrottle } from './log-throttle.js';
export { createLogger, logConsole } from './logging.js';
export { requireArguments, start } from './start.js';
export { describeUnknownVariables, warnOfUnknownVariables } from './unknown-variables.js';
export * as variables from './variables.js';
export { build, commit, rootDirectory, version } from './version/version.js';
