import { constants } from 'node:os';
import { inspect } from 'node:util';
import { DomainError, StartupError } from '#errors';

// How long an interrupted command may take to end its child processes and to remove its files. Slower work, such as a
// migration's statement, is cut off when the process exits and its connection closes.
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

/**
 * The abort reason of an interrupted command. `abortOnSignals` has already reported the signal, so `runCommand` prints
 * nothing.
 */
class Interruption extends CommandError {}

/** Progress goes to standard error, because standard output may be the backup. */
export function report(text: string): void {
  process.stderr.write(`${text}\n`);
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/**
 * Returns an `AbortSignal` that aborts when the process receives SIGHUP, SIGINT or SIGTERM. Its reason is a
 * `CommandError`: the command cleans up and then throws the reason. Before this function is called, a signal ends the
 * process immediately. After the first signal, further signals are ignored, because on Ctrl+C, both the terminal and
 * npm signal the process.
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

/** Runs an operator's command to completion. If the command throws, prints the error and sets the exit code. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    process.exitCode = error instanceof CommandError ? error.exitCode : 1;
    if (error instanceof Interruption) return;
    report(isForOperator(error) ? formatError(error) : inspect(error));
  }
}

/** Refers to `--help` instead of Node's advice about arguments that begin with a dash. */
const formatError = ({ message }: Error): string =>
  message.replace(/(Unknown option '[^']*')\..*/s, '$1. --help shows the options.');

const isForOperator = (error: unknown): error is Error =>
  error instanceof CommandError ||
  error instanceof StartupError ||
  error instanceof DomainError ||
  // `parseArgs` throws such an error for an invalid command line, for example for an unknown option.
  (error instanceof TypeError && 'code' in error && /^ERR_PARSE_ARGS/.test(String(error.code)));
