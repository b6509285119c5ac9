import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import pretty from 'pino-pretty';
import { CliError } from './terminal.js';

const READY_TIMEOUT_MS = 60_000;
// A worker stops once its running delivery attempts have ended. No attempt takes as long as this timeout.
const STOP_TIMEOUT_MS = 20_000;

/** One of Galley's programs as a child process, configured only by its environment. */
export class AppProcess {
  /** Resolves when the program ends. The value says how, for example `exit code 1` or `SIGKILL`. */
  readonly exited: Promise<string>;
  readonly #child: ChildProcess;

  constructor(
    readonly name: string,
    entryUrl: URL,
    env: NodeJS.ProcessEnv,
  ) {
    const exitWithParent = new URL('./exit-with-parent.js', import.meta.url).href;
    this.#child = fork(entryUrl, {
      env,
      execArgv: ['--enable-source-maps', '--import', exitWithParent],
      // Ctrl-C signals the foreground process group of the terminal. In a process group of its own, the program does
      // not receive that signal, and standalone can stop the program before the services that it uses.
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    this.#child.stdout?.pipe(
      pretty({
        colorize: process.stdout.isTTY,
        ignore: 'pid,hostname',
        singleLine: true,
        messageFormat: `${name}: {msg}`,
      }),
    );
    this.exited = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => resolve(signal ?? `exit code ${code ?? 'none'}`));
      this.#child.once('error', (error) => resolve(error.message));
    });
  }

  /** @throws CliError if the program does not become ready in time, or the abort reason of `signal`. */
  async waitUntilReady(healthUrl: string, signal: AbortSignal): Promise<void> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (!(await isHealthy(healthUrl))) {
      signal.throwIfAborted();
      if (Date.now() > deadline) {
        throw new CliError(
          `The ${this.name} did not become ready: ${healthUrl} does not respond with 200.`,
        );
      }
      await sleep(50);
    }
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    const killTimer = setTimeout(() => this.kill(), STOP_TIMEOUT_MS);
    await this.exited;
    clearTimeout(killTimer);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    // The program is not listening yet.
    return false;
  }
}
