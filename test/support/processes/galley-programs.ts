import { findFreePort, probePort } from '../../../apps/standalone/ports.js';
import { eventually } from '../eventually.js';
import { Program } from './program.js';

const START_TIMEOUT_MS = 60_000;

export interface GalleyProgram {
  program: Program;
  url: string;
  port: number;
  /** The status of `/health/ready`; 0 while nothing listens. */
  readiness: () => Promise<number>;
}

interface Options {
  /** A free port by default. */
  port?: number;
  /** Such as `--max-old-space-size=512`. */
  nodeArguments?: readonly string[];
}

/** The API or the worker of `dist` in a process of its own, as in production. */
export async function startProgram(
  name: 'api' | 'worker',
  environment: Record<string, string>,
  { port: fixedPort, nodeArguments = [] }: Options = {},
): Promise<GalleyProgram> {
  const port = fixedPort ?? (await probePort(0));
  const program = new Program(process.execPath, [...nodeArguments, `dist/apps/${name}/main.js`], {
    NODE_OPTIONS: '',
    ...environment,
    PORT: String(port),
    WORKER_PORT: String(port),
  });
  const url = `http://127.0.0.1:${port}`;
  const readiness = () =>
    fetch(`${url}/health/ready`).then(
      ({ status }) => status,
      () => 0,
    );
  return { program, url, port, readiness };
}

/** Like `startProgram`, and waits until the program is ready. */
export async function startReadyProgram(
  ...options: Parameters<typeof startProgram>
): Promise<GalleyProgram> {
  const started = await startProgram(...options);
  await waitUntilReady(started);
  return started;
}

export const waitUntilReady = ({ program, readiness }: GalleyProgram): Promise<boolean> =>
  waitFor('the program to be ready', program, async () => (await readiness()) === 200);

const waitFor = (what: string, program: Program, condition: () => Promise<boolean>) =>
  eventually(
    what,
    async () => {
      if (program.child.exitCode !== null) throw new Error(program.output);
      return await condition();
    },
    { timeout: START_TIMEOUT_MS },
  );

export async function killPrograms(programs: GalleyProgram[]): Promise<void> {
  for (const { program } of programs.splice(0)) {
    program.killGroup();
    await program.exited;
  }
}

/**
 * A free port below those from which the kernel chooses for connections. So no connection takes the port while
 * its server does not run.
 */
export const findLastingPort = (): Promise<number> =>
  findFreePort(20_000 + Math.floor(Math.random() * 10_000), 0);

/** An API or a worker that can be started again at the same ports. */
export class RestartableProgram {
  private started: GalleyProgram | undefined;

  private constructor(
    private readonly name: 'api' | 'worker',
    private readonly port: number,
    readonly metricsPort: number,
    private readonly preload: string,
  ) {}

  /**
   * Chooses the ports, and starts nothing.
   * @param preload the URL of a module that the program loads first.
   */
  static async prepare(name: 'api' | 'worker', preload: string): Promise<RestartableProgram> {
    const port = await findLastingPort();
    return new RestartableProgram(name, port, await findFreePort(port + 1, 0), preload);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The output of the program since its start. */
  get output(): string {
    return this.started?.program.output ?? '';
  }

  /** Resolves when the program responds. It need not be ready. */
  async start(environment: Record<string, string>): Promise<void> {
    const variables = { ...environment, METRICS_PORT: String(this.metricsPort) };
    const nodeArguments = [`--import=${this.preload}`];
    this.started = await startProgram(this.name, variables, { port: this.port, nodeArguments });
    const { program, readiness } = this.started;
    await waitFor(`the ${this.name} to respond`, program, async () => (await readiness()) > 0);
  }

  signal(signal: NodeJS.Signals): void {
    this.started?.program.signal(signal);
  }

  /** Lets the program finish its work. */
  async stop(): Promise<void> {
    this.started?.program.signal('SIGTERM');
    await this.started?.program.exited;
  }

  async kill(): Promise<void> {
    this.started?.program.killGroup();
    await this.started?.program.exited;
  }
}
