import { inspect, styleText } from 'node:util';

/** An error that the user at the terminal can fix. Only its message is printed, without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

export function print(text = ''): void {
  process.stdout.write(`${text}\n`);
}

export function printError(text: string): void {
  process.stderr.write(`${styleText('red', text, { stream: process.stderr })}\n`);
}

/** Runs a command-line program to completion. If the program throws, prints the error and sets exit code 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    process.exitCode = 1;
    printError(error instanceof CliError ? error.message : inspect(error));
  }
}
