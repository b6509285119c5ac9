import { Program } from './program.js';

// The suite's own services must not leak into the programs that it starts.
const CLEAN_ENVIRONMENT = { DATABASE_URL: '', REDIS_URL: '', NODE_OPTIONS: '', LOG_LEVEL: '' };

/** Runs `npm start`. `--ignore-scripts` leaves out its build. */
export const startStandalone = (
  environment: Record<string, string>,
  ...options: '--ignore-scripts'[]
): Program => new Program('npm', ['start', ...options], { ...CLEAN_ENVIRONMENT, ...environment });
