/*
 * Reads and validates the environment variables of each program (`variables.ts` names them all), and sets
 * up logging. What a setting means for the work is decided where it is used.
 */
export {
  loadApiConfig,
  ConfigError,
  loadMigrateConfig,
  loadWorkerConfig,
  type ApiConfig,
  type WorkerConfig,
} from './config.js';
export { LogThrottle } from './log-throttle.js';
export { createLogger } from './logging.js';
export { start } from './start.js';
export * as variables from './variables.js';
export { rootDirectory, version } from './version.js';
