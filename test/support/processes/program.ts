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
    await this.waitFor(`"${text}"`, () => this.output.split(text).length > times, timeout);
  }

  /** Like `exited`, but shows the output if the program goes on for too long. */
  async waitForExit({ timeout = 60_000 } = {}): Promise<
    [code: number | null, signal: string | null]
  > {
    const hasEnded = () => this.child.exitCode !== null || this.child.signalCode !== null;
    await this.waitFor('the end of the program', hasEnded, timeout);
    return this.exited;
  }

  private async waitFor(what: string, condition: () => boolean, timeout: number): Promise<void> {
    try {
      await eventually(what, condition, { timeout });
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
