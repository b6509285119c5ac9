import { inspect } from 'node:util';
import { StartupError } from '#errors';

/** An error that the operator can fix. Only its message is printed, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Progress goes to standard error, because standard output may be the backup. */
export function report(text: string): void {
  process.stderr.write(`${text}\n`);
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Runs a program of an operator to its end. If the program throws, prints the error and sets exit code 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    process.exitCode = 1;
    const isForOperator = error instanceof CommandError || error instanceof StartupError;
    report(isForOperator ? error.message : inspect(error));
  }
}
