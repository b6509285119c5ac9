import { ConfigError } from './config.js';

/** Runs a program; what stops it at its start is said on standard error, in words where we have them. */
export async function start(program: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const reason = error instanceof ConfigError ? error.message : String((error as Error).stack);
    process.stderr.write(`galley ${program} did not start. ${reason}\n`);
    process.exit(1);
  }
}
