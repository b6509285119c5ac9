import { findFreePort } from '../../../apps/standalone/ports.js';
import { eventually } from '../eventually.js';
import { Program } from './program.js';

const START_TIMEOUT_MS = 60_000;

/**
 * A free port below those from which the kernel chooses for connections. So no connection takes the port while
 * its server does not run.
 */
export const findLastingPort = (): Promise<number> =>
  findFreePort(20_000 + Math.floor(Math.random() * 10_000), 0);

/** An API or a worker of `dist`, which can be started again at the same ports. */
export class GalleyProgram {
  private program: Program | undefined;

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
  static async prepare(name: 'api' | 'worker', preload: string): Promise<GalleyProgram> {
    const port = await findLastingPort();
    return new GalleyProgram(name, port, await findFreePort(port + 1, 0), preload);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What the program has printed since its start. */
  get output(): string {
    return this.program?.output ?? '';
  }

  /** Resolves when the program responds. */
  async start(environment: Record<string, string>): Promise<void> {
    const program = new Program(
      process.execPath,
      [`--import=${this.preload}`, `dist/apps/${this.name}/main.js`],
      {
        ...environment,
        PORT: String(this.port),
        WORKER_PORT: String(this.port),
        METRICS_PORT: String(this.metricsPort),
      },
    );
    this.program = program;
    const hasEnded = program.exited.then(() => {
      throw new Error(`The ${this.name} ended:\n${program.output}`);
    });
    const responds = () =>
      fetch(`${this.url}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      );
    const isUp = eventually(`the ${this.name} to respond`, responds, { timeout: START_TIMEOUT_MS });
    await Promise.race([isUp, hasEnded]);
  }

  signal(signal: NodeJS.Signals): void {
    this.program?.signal(signal);
  }

  /** Lets the program finish its work. */
  async stop(): Promise<void> {
    this.program?.signal('SIGTERM');
    await this.program?.exited;
  }

  async kill(): Promise<void> {
    this.program?.killGroup();
    await this.program?.exited;
  }
}
