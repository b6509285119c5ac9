export {
  apiConfig,
  ConfigError,
  migrateConfig,
  workerConfig,
  type ApiConfig,
  type WorkerConfig,
} from './config.js';
export { LogThrottle } from './log-throttle.js';
export { createLogger } from './logging.js';
export { start } from './start.js';
export * as variables from './variables.js';
export { rootDirectory, version } from './version.js';
