import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { probePort } from '../../../apps/standalone/ports.js';
import { eventually } from '../eventually.js';
import { Program } from '../processes/program.js';
import { RedisServer } from './redis-server.js';

const PRIMARY_NAME = 'mymaster';
const REDIS_PASSWORD = 'p@ss';
const SENTINEL_PASSWORD = 'watch';
const SENTINELS = 3;

/** Two Redis servers, a primary and a replica, and three sentinels. */
export class RedisSentinels {
  private readonly sentinels: { program: Program; port: number }[] = [];

  private constructor(
    private readonly folder: string,
    readonly servers: RedisServer[],
  ) {}

  static async start(): Promise<RedisSentinels> {
    const settings = [`requirepass ${REDIS_PASSWORD}`, `masterauth ${REDIS_PASSWORD}`];
    const primary = await RedisServer.start(settings);
    const replica = await RedisServer.start([...settings, `replicaof 127.0.0.1 ${primary.port}`]);
    const folder = await mkdtemp(join(tmpdir(), 'galley-sentinel-'));
    const group = new RedisSentinels(folder, [primary, replica]);
    for (let index = 0; index < SENTINELS; index++) await group.startSentinel(primary.port);
    await eventually('the sentinels to know each other and the replica', async () => {
      const states = await Promise.all(group.sentinels.map(({ port }) => readState(port)));
      return states.every(
        (state) => state['num-slaves'] === '1' && state['num-other-sentinels'] === '2',
      );
    });
    return group;
  }

  /** The sentinels as hosts of a URL. */
  get hosts(): string {
    return this.sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  }

  get url(): string {
    const login = `:${encodeURIComponent(REDIS_PASSWORD)}`;
    return `redis+sentinel://${login}@${this.hosts}/${PRIMARY_NAME}?sentinel_password=${SENTINEL_PASSWORD}`;
  }

  /** The server that the last sentinel takes for the primary. */
  async primary(): Promise<RedisServer> {
    const { port } = await readState(this.sentinels.at(-1)?.port ?? 0);
    return this.servers.find((server) => server.port === Number(port)) as RedisServer;
  }

  /** Waits until the sentinels could make the other server the primary. */
  async waitForReplica(): Promise<void> {
    await eventually('a replica that has caught up', async () => {
      const primary = await this.primary();
      const client = new Redis(primary.port, '127.0.0.1', { password: REDIS_PASSWORD });
      const info = await client.info('replication');
      client.disconnect();
      return info.includes('state=online');
    });
  }

  async stopSentinels(count: number): Promise<void> {
    for (const { program } of this.sentinels.slice(0, count)) {
      program.killGroup();
      await program.exited;
    }
  }

  async stop(): Promise<void> {
    await this.stopSentinels(SENTINELS);
    for (const server of this.servers) await server.stop();
    await rm(this.folder, { recursive: true });
  }

  private async startSentinel(primaryPort: number): Promise<void> {
    const port = await probePort(0);
    // A sentinel writes to its file.
    const file = join(this.folder, `${port}.conf`);
    const configuration = [
      `port ${port}`,
      'bind 127.0.0.1',
      `requirepass ${SENTINEL_PASSWORD}`,
      `sentinel sentinel-pass ${SENTINEL_PASSWORD}`,
      `sentinel monitor ${PRIMARY_NAME} 127.0.0.1 ${primaryPort} 2`,
      `sentinel auth-pass ${PRIMARY_NAME} ${REDIS_PASSWORD}`,
      `sentinel down-after-milliseconds ${PRIMARY_NAME} 1000`,
      `sentinel failover-timeout ${PRIMARY_NAME} 2000`,
    ];
    await writeFile(file, configuration.join('\n'));
    const program = new Program('redis-server', [file, '--sentinel']);
    await program.waitForOutput('+monitor master');
    this.sentinels.push({ program, port });
  }
}

/** The state of the primary as a sentinel reports it, in the words of Redis. */
async function readState(port: number): Promise<Record<string, string>> {
  const sentinel = new Redis(port, '127.0.0.1', { password: SENTINEL_PASSWORD });
  try {
    const pairs = (await sentinel.call('SENTINEL', 'MASTER', PRIMARY_NAME)) as string[];
    return Object.fromEntries(
      pairs.flatMap((name, index) => (index % 2 === 0 ? [[name, pairs[index + 1] ?? '']] : [])),
    );
  } finally {
    sentinel.disconnect();
  }
}
