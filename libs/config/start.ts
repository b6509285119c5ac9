import { pinoHttp } from 'pino-http';
import { StartupError } from '#errors';
import { logOptions } from './logging.js';

/**
 * Runs a program. An error at the start is printed on standard error, as a sentence if it is meant for the
 * operator.
 */
export async function start(program: string, run: () => Promise<void>): Promise<void> {
  // Node itself would print all fields of an error, such as the Redis command that failed.
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
