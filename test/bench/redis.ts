import { Redis } from 'ioredis';
import { probePort } from '../../apps/standalone/ports.js';
import { eventually } from '../support/eventually.js';
import { Child } from './child.js';
import { onPath } from './programs.js';

/** A temporary Redis, if the machine has the program. */
export async function startRedis(directory: string): Promise<Child | undefined> {
  if ((await onPath('redis-server')) === undefined) return undefined;
  const port = await probePort(0);
  const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', directory];
  const server = Child.command(
    'redis-server',
    ['--port', String(port), ...settings],
    `redis://127.0.0.1:${port}`,
  );
  const client = new Redis(server.url, { maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  await eventually('Redis to be ready', () => client.ping());
  client.disconnect();
  return server;
}
