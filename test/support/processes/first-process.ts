import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { eventually } from '../eventually.js';
import { Program } from './program.js';

// Root needs no namespace of users. The process dies with `unshare`.
const isRoot = process.getuid?.() === 0;
const UNSHARE = ['--pid', '--fork', '--kill-child', ...(isRoot ? [] : ['--map-root-user']), '--'];

/** Whether the kernel of this machine lets this user run a program as a first process. */
export const canRunFirstProcesses = spawnSync('unshare', [...UNSHARE, 'true']).status === 0;

/**
 * A program that is the first process (PID 1) of a namespace, as in a container: the kernel gives it only the
 * signals that it has handlers for.
 */
export class FirstProcess {
  private readonly unshare: Program;

  constructor(command: string[], environment: Record<string, string>) {
    this.unshare = new Program('unshare', [...UNSHARE, ...command], environment);
  }

  get output(): string {
    return this.unshare.output;
  }

  waitForOutput(text: string): Promise<void> {
    return this.unshare.waitForOutput(text);
  }

  /** Waits until the program, an init, has started a program of its own. Before that, it may have no handlers yet. */
  async waitForChild(): Promise<void> {
    await eventually('the child of the init', () => childOf(this.pid()));
  }

  /** @returns the exit code, and how long the program took to end, in milliseconds. */
  async end(signal: 'SIGTERM' | 'SIGINT'): Promise<{ code: number | null; ms: number }> {
    const sentAt = performance.now();
    process.kill(await eventually('the first process', () => this.pid()), signal);
    const [code] = await this.unshare.exited;
    return { code, ms: performance.now() - sentAt };
  }

  kill(): void {
    this.unshare.killGroup();
  }

  private pid(): number | undefined {
    return childOf(this.unshare.child.pid);
  }
}

const childOf = (pid: number | undefined): number | undefined =>
  Number(readOrEmpty(`/proc/${pid}/task/${pid}/children`).split(' ')[0]) || undefined;

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
