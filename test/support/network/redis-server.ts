import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { probePort } from '../../../apps/standalone/ports.js';
import { Program } from '../processes/program.js';
import { hasProgram } from '../processes/required-program.js';

export const hasRedisServer = hasProgram('redis-server', 'run apt-get install redis-server.');

/** A Redis of a test, without data on disk. */
export class RedisServer {
  private constructor(
    private program: Program,
    private readonly args: string[],
    private readonly folder: string,
    readonly port: number,
  ) {}

  /** @param settings the lines of a configuration file. */
  static async start(
    settings: string[] = [],
    { hasTls = false, hasBus = false } = {},
  ): Promise<RedisServer> {
    const port = await probePort(0);
    const folder = await mkdtemp(join(tmpdir(), 'galley-redis-'));
    const configuration = [
      ...(hasTls ? ['port 0', `tls-port ${port}`] : [`port ${port}`]),
      // A node of a cluster. By default the port of the bus is 10,000 above, which may be taken.
      ...(hasBus ? ['cluster-enabled yes', `cluster-port ${await probePort(0)}`] : []),
      'bind 127.0.0.1',
      `dir ${folder}`,
      'save ""',
      'maxmemory-policy noeviction',
      ...settings,
    ];
    const args = configuration.flatMap((line) => `--${line}`.split(' ')).map(unquoted);
    return new RedisServer(await run(args), args, folder, port);
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Connections stay open, and nothing responds. */
  fallSilent(): void {
    this.program.signal('SIGSTOP');
  }

  speakAgain(): void {
    this.program.signal('SIGCONT');
  }

  async kill(): Promise<void> {
    this.program.killGroup();
    await this.program.exited;
  }

  /** Starts a server that was killed again, at the same port and without data. */
  async restart(): Promise<void> {
    this.program = await run(this.args);
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true });
  }
}

async function run(args: string[]): Promise<Program> {
  const program = new Program('redis-server', args);
  await program.waitForOutput('Ready to accept connections');
  return program;
}

const unquoted = (argument: string): string => (argument === '""' ? '' : argument);
