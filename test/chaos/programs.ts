import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { findLastingPort } from '../support/processes/galley-programs.js';

const RESTART_PAUSE_MS = 200;
const SHOWN_LOG_LINES = 40;

interface Program {
  name: 'api' | 'worker';
  port: number;
  child: ChildProcess | undefined;
  /** More arguments of Node.js. */
  nodeArgs: string[];
  /** The last lines of its log. */
  log: string[];
}

/** Two APIs and two workers, the real programs. A program that ends is started again, as a platform does. */
export class Programs {
  private readonly programs: Program[] = [];
  private isStopping = false;
  kills = 0;
  /** How often a program ended by itself. */
  exits = 0;

  private constructor(private readonly environment: Record<string, string>) {}

  static async start(environment: Record<string, string>): Promise<Programs> {
    const programs = new Programs(environment);
    for (const name of ['api', 'worker', 'api', 'worker'] as const) {
      const program = {
        name,
        port: await findLastingPort(),
        child: undefined,
        nodeArgs: [],
        log: [],
      };
      programs.programs.push(program);
      programs.launch(program);
    }
    await programs.waitUntilReady();
    return programs;
  }

  get apiUrls(): string[] {
    return this.programs.filter(({ name }) => name === 'api').map(urlOf);
  }

  async waitUntilReady(): Promise<void> {
    for (const program of this.programs) {
      await eventually(`the ${program.name} to be ready`, () => isReady(program), {
        timeout: 90_000,
      }).catch(async (error: unknown) => {
        throw new Error(`Its readiness: ${await readinessOf(program)}\n${program.log.join('\n')}`, {
          cause: error,
        });
      });
    }
  }

  /** Kills the next program in the row: an API, a worker, the other API, the other worker. */
  async killNext(): Promise<void> {
    const program = this.programs[this.kills % this.programs.length];
    this.kills++;
    if (program) await end(program);
  }

  /** Starts the first worker again, with more arguments of Node.js. */
  async restartWorker(...nodeArgs: string[]): Promise<void> {
    const worker = this.programs.find(({ name }) => name === 'worker');
    if (worker === undefined) return;
    worker.nodeArgs = nodeArgs;
    await end(worker);
  }

  /** The last lines of all logs. */
  get logs(): string {
    return this.programs.flatMap(({ name, log }) => [`${name}:`, ...log]).join('\n');
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.programs.map(end));
  }

  private launch(program: Program): void {
    const { name, port, nodeArgs, log } = program;
    const env = {
      ...this.environment,
      LOG_LEVEL: 'warn',
      PORT: String(port),
      WORKER_PORT: String(port),
    };
    const child = spawn(process.execPath, [...nodeArgs, `dist/apps/${name}/main.js`], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    program.child = child;
    createInterface(child.stdout).on('line', (line) => {
      log.push(line);
      if (log.length > SHOWN_LOG_LINES) log.shift();
    });
    child.once('exit', (_code, signal) => {
      if (this.isStopping) return;
      if (signal !== 'SIGKILL') this.exits++;
      void delay(RESTART_PAUSE_MS).then(() => {
        if (!this.isStopping) this.launch(program);
      });
    });
  }
}

const urlOf = ({ port }: Program) => `http://127.0.0.1:${port}`;

const isReady = (program: Program): Promise<boolean> =>
  fetch(`${urlOf(program)}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );

const readinessOf = (program: Program): Promise<string> =>
  fetch(`${urlOf(program)}/health/ready`).then((response) => response.text(), String);

async function end({ child }: Program): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
