import { pinoHttp } from 'pino-http';
import { StartupError } from '#errors';
import { isBeingStopped } from '#signals';
import { logOptions } from './logging.js';

/**
 * Runs a program. If `run` throws, prints the error to standard error: a `StartupError` as a sentence for the operator,
 * any other error with its stack.
 */
export async function start(
  program: string,
  run: () => Promise<void>,
  failure: 'did not start' | 'failed' = 'did not start',
): Promise<void> {
  // Node itself would print all fields of an error, such as the Redis command that failed.
  process.on('uncaughtException', (error) => {
    const { logger } = pinoHttp(logOptions({ LOG_LEVEL: 'fatal' }));
    logger.fatal(
      { err: error, stage: 'uncaught' },
      `galley ${program} ends because of an unexpected error.`,
    );
    process.exit(1);
  });
  try {
    await run();
  } catch (error) {
    // If a signal stops the program while it starts, errors are expected. Nest ends the program once everything has
    // stopped.
    if (isBeingStopped()) return;
    const reason = error instanceof StartupError ? error.message : String((error as Error).stack);
    process.stderr.write(`galley ${program} ${failure}. ${reason}\n`);
    process.exit(1);
  }
}

/**
 * Prints the usage and exits if an operator asks for help or passes arguments that the program does not accept. If the
 * program ignored such arguments, it could do something that the operator did not intend.
 */
export function requireArguments(usage: string, accepts: (args: string[]) => boolean): void {
  const args = process.argv.slice(2);
  if (args.some((argument) => argument === '--help' || argument === '-h')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  if (accepts(args)) return;
  process.stderr.write(`${usage}\n`);
  process.exit(1);
}
