import { pinoHttp } from 'pino-http';
import { StartupError } from '#errors';
import { logOptions } from './logging.js';

/** Runs a program; what stops it at its start is said on standard error, in words where we have them. */
export async function start(program: string, run: () => Promise<void>): Promise<void> {
  // Node itself prints all that an error carries, such as the command of Redis that failed.
  process.on('uncaughtException', (error) => {
    const { logger } = pinoHttp(logOptions({ LOG_LEVEL: 'fatal' }));
    logger.fatal({ err: error, stage: 'uncaught' }, `galley ${program} ends.`);
    process.exit(1);
  });
  try {
    await run();
  } catch (error) {
    const reason = error instanceof StartupError ? error.message : String((error as Error).stack);
    process.stderr.write(`galley ${program} did not start. ${reason}\n`);
    process.exit(1);
  }
}
