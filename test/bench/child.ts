import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { probePort } from '../../apps/standalone/ports.js';
import { eventually } from '../support/eventually.js';

const STOP_TIMEOUT_MS = 20_000;
const dist = new URL('../../', import.meta.url);

// Kills the processes even if the benchmark is interrupted.
const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/**
 * A process, started as an operator would start it. Its stdout, where the log is, is discarded. Its stderr
 * goes to the stderr of this process.
 */
export class Child {
  private constructor(
    readonly process: ChildProcess,
    readonly url: string,
  ) {
    running.add(process);
    process.once('exit', () => running.delete(process));
  }

  /**
   * Starts a program from `dist`. The program listens on the port in the environment variable
   * `portVariable`.
   *
   * @param file the path in `dist`, or the URL of a file elsewhere.
   * @param health the path that responds with 200 once the program is ready.
   */
  static async start(
    file: string,
    environment: Record<string, string>,
    {
      portVariable = 'PORT',
      health = '/health/ready',
      args = [],
    }: { portVariable?: string; health?: string; args?: readonly string[] } = {},
  ): Promise<Child> {
    const port = await probePort(0);
    const env = { PATH: process.env['PATH'], ...environment, [portVariable]: String(port) };
    const profile = process.env['BENCH_CPU_PROFILE'];
    const forked = fork(new URL(file, dist), args, {
      env,
      execArgv: profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const child = new Child(forked, `http://127.0.0.1:${port}`);
    await eventually(`${file} to be ready`, () => {
      if (forked.exitCode !== null) throw new Error(`${file} ended with ${forked.exitCode}.`);
      return fetch(child.url + health).then(
        (response) => response.ok,
        () => false,
      );
    });
    return child;
  }

  /** Starts a server that is not part of Galley, such as Redis. */
  static command(command: string, args: string[], url: string): Child {
    return new Child(spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }), url);
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exited = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    const patience = setTimeout(() => this.process.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(patience);
  }
}
