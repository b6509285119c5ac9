import { constants } from 'node:os';
import { inspect } from 'node:util';
import { DomainError, StartupError } from '#errors';

// In this time, a command ends its child programs and removes its files. Work that takes longer, such as a statement of
// a migration, ends with the connection of the process.
const CLEANUP_TIMEOUT_MS = 2_000;

/** An error that the operator can fix. Only its message is printed, without a stack. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';

  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** The reason of an interrupted command. `abortOnSignals` has already reported the signal. */
class Interruption extends CommandError {}

/** Progress goes to standard error, because standard output may be the backup. */
export function report(text: string): void {
  process.stderr.write(`${text}\n`);
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/**
 * Returns an `AbortSignal` that a signal to the process aborts. Its reason is a `CommandError`: the command cleans up,
 * and then throws the reason. Without this function, a signal ends the process at once. A second signal changes
 * nothing, because at Ctrl+C, npm passes on the signal that the terminal has already sent to the process.
 */
export function abortOnSignals(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) return;
      const exitCode = 128 + constants.signals[name];
      setTimeout(() => process.exit(exitCode), CLEANUP_TIMEOUT_MS).unref();
      report(`Interrupted by ${name}.`);
      controller.abort(new Interruption(name, exitCode));
    });
  }
  return controller.signal;
}

/** Runs a program of an operator to its end. If the program throws, prints the error and sets the exit code. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    process.exitCode = error instanceof CommandError ? error.exitCode : 1;
    if (error instanceof Interruption) return;
    report(isForOperator(error) ? formatError(error) : inspect(error));
  }
}

/** The message, without Node's advice about arguments that begin with a dash. */
const formatError = ({ message }: Error): string =>
  message.replace(/(Unknown option '[^']*')\..*/s, '$1. --help shows the options.');

const isForOperator = (error: unknown): error is Error =>
  error instanceof CommandError ||
  error instanceof StartupError ||
  error instanceof DomainError ||
  // An option that `parseArgs` does not know.
  (error instanceof TypeError && 'code' in error && /^ERR_PARSE_ARGS/.test(String(error.code)));
