import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { eventually } from '../eventually.js';
import { RedisServer } from './redis-server.js';

const MASTERS = 3;

/** Three masters, each with a replica. */
export class RedisCluster {
  private constructor(
    readonly servers: RedisServer[],
    private readonly password: string,
  ) {}

  static async start(password: string): Promise<RedisCluster> {
    const settings = [
      'cluster-node-timeout 1000',
      // A replica takes over although the master has written nothing for long.
      'cluster-replica-validity-factor 0',
      `requirepass ${password}`,
      `masterauth ${password}`,
    ];
    const servers: RedisServer[] = [];
    for (let index = 0; index < MASTERS * 2; index++) {
      servers.push(await RedisServer.start(settings, { hasBus: true }));
    }
    await promisify(execFile)('redis-cli', [
      '-a',
      password,
      '--no-auth-warning',
      '--cluster',
      'create',
      ...servers.map(({ host }) => host),
      '--cluster-replicas',
      '1',
      '--cluster-yes',
    ]);
    const cluster = new RedisCluster(servers, password);
    await cluster.waitUntilWhole();
    return cluster;
  }

  /** Waits until all servers know each other, and each master has a replica. */
  async waitUntilWhole(): Promise<void> {
    await eventually('the cluster to be whole', async () => {
      const states = await Promise.all(
        this.servers.map((server) =>
          ask(server, this.password, async (client) => {
            const nodes = (await client.cluster('NODES')) as string;
            const isFailing = /(fail|handshake)/.test(nodes);
            const replicas = nodes.split('\n').filter((line) => / (myself,)?slave /.test(line));
            return (
              (await client.cluster('INFO')).includes('cluster_state:ok') &&
              !isFailing &&
              replicas.length === MASTERS
            );
          }),
        ),
      );
      return states.every(Boolean);
    });
  }

  get hosts(): string {
    return this.servers.map(({ host }) => host).join(',');
  }

  /** The names of all keys. */
  async keys(): Promise<string[]> {
    const names = await Promise.all(
      this.servers.map((server) => ask(server, this.password, (client) => client.keys('*'))),
    );
    return [...new Set(names.flat())];
  }

  /** The master that has a key, as another server than the unavailable one says. */
  async masterOf(key: string, unavailable?: RedisServer): Promise<RedisServer> {
    const first = this.servers.find((server) => server !== unavailable) as RedisServer;
    return ask(first, this.password, async (client) => {
      const slot = await client.cluster('KEYSLOT', key);
      const ranges = await client.cluster('SLOTS');
      const [, , node] = ranges.find(([from, to]) => from <= slot && slot <= to) ?? [];
      return this.servers.find((server) => server.port === node?.[1]) as RedisServer;
    });
  }

  async stop(): Promise<void> {
    for (const server of this.servers) await server.stop();
  }
}

async function ask<T>(
  server: RedisServer,
  password: string,
  question: (client: Redis) => Promise<T>,
): Promise<T> {
  const client = new Redis(server.port, '127.0.0.1', { password });
  try {
    return await question(client);
  } finally {
    client.disconnect();
  }
}
