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
    private readonly program: Program,
    private readonly folder: string,
    readonly port: number,
  ) {}

  /** @param settings the lines of a configuration file. */
  static async start(settings: string[] = [], { hasTls = false } = {}): Promise<RedisServer> {
    const port = await probePort(0);
    const folder = await mkdtemp(join(tmpdir(), 'galley-redis-'));
    const configuration = [
      ...(hasTls ? ['port 0', `tls-port ${port}`] : [`port ${port}`]),
      'bind 127.0.0.1',
      `dir ${folder}`,
      'save ""',
      'maxmemory-policy noeviction',
      ...settings,
    ];
    const args = configuration.flatMap((line) => `--${line}`.split(' '));
    const program = new Program('redis-server', args.map(unquoted));
    await program.waitForOutput('Ready to accept connections');
    return new RedisServer(program, folder, port);
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    this.program.killGroup();
    await this.program.exited;
    await rm(this.folder, { recursive: true });
  }
}

const unquoted = (argument: string): string => (argument === '""' ? '' : argument);
