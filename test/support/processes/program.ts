import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../eventually.js';

/** A separate process. `output` has everything that the process has printed so far. */
export class Program {
  output = '';
  readonly child: ChildProcessWithoutNullStreams;
  readonly exited: Promise<[code: number | null, signal: string | null]>;

  constructor(command: string, args: string[], environment: Record<string, string> = {}) {
    const env = { ...process.env, FORCE_COLOR: undefined, NO_COLOR: '1', ...environment };
    // A separate process group, so that all child processes can be killed together.
    this.child = spawn(command, args, { env, detached: true });
    this.exited = once(this.child, 'exit') as typeof this.exited;
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString('utf8')));
    }
  }

  /** Waits until the program has printed `text`. */
  async waitForOutput(text: string, { times = 1, timeout = 60_000 } = {}): Promise<void> {
    const printed = () => this.output.split(text).length > times;
    try {
      await eventually(`"${text}"`, printed, { timeout });
    } catch (error) {
      throw new Error(`${String(error)} The program printed:\n${this.output}`, { cause: error });
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Kills the program and its child processes at once, as a crash of the machine would. */
  killGroup(): void {
    const { pid } = this.child;
    if (pid !== undefined && this.child.exitCode === null && this.child.signalCode === null) {
      process.kill(-pid, 'SIGKILL');
    }
  }
}
