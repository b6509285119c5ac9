import { createRedis, type RedisClient } from '#redis';
import { createQueueBackend } from './backend.js';

const CONNECT_TIMEOUT_MS = 3_000;

const CONSEQUENCE = /Connection is closed|sentinels are unreachable|slots cache/;

export interface RedisState {
  version: string;
  /**
   * The eviction policy. With `noeviction`, a full Redis refuses writes. Undefined if Redis does not report its policy.
   */
  evictionPolicy: string | undefined;
  isReplica: boolean;
  /** How far the clock of Redis is ahead of this machine's clock, in milliseconds. */
  clockOffset: number;
}

/**
 * Reads the state of the server, or of each primary of a cluster, for an operator's tool. Connects without retries.
 * @throws if Redis cannot be reached or refuses the login; the message contains no password.
 */
export async function inspectRedis(url: string): Promise<RedisState[]> {
  const redis = createRedis(url, {
    whenUnavailable: 'fail',
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: CONNECT_TIMEOUT_MS,
    reconnectMs: null,
  });
  // The rejection of `connect` says only that the connection was closed. Some of the events below carry the actual
  // reason; others say no more than the rejection.
  const reasons: Error[] = [];
  for (const event of ['error', 'sentinelError', 'node error'] as const) {
    redis.on(event, (error: Error & { lastNodeError?: Error }) => {
      reasons.push(error.lastNodeError ?? error);
    });
  }
  try {
    await redis.connect();
    const servers = 'nodes' in redis ? redis.nodes('master') : [redis];
    return await Promise.all(servers.map((server) => readState(server)));
  } catch (error) {
    throw reasons.findLast(({ message }) => !CONSEQUENCE.test(message)) ?? reasons.at(-1) ?? error;
  } finally {
    redis.disconnect();
  }
}

async function readState(redis: Pick<RedisClient, 'info' | 'time'>): Promise<RedisState> {
  const sentAt = Date.now();
  const [seconds = NaN, microseconds = NaN] = await redis.time();
  const offset = seconds * 1_000 + microseconds / 1_000 - (sentAt + Date.now()) / 2;
  const info = await redis.info();
  const valueOf = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  return {
    version: valueOf('redis_version') ?? 'unknown',
    evictionPolicy: valueOf('maxmemory_policy'),
    isReplica: valueOf('role') === 'slave',
    clockOffset: offset,
  };
}

/** Returns what is wrong with the queue in PostgreSQL, if anything. Opens its own connection, for operators' tools. */
export async function findPostgresQueueProblem(databaseUrl: string): Promise<string | undefined> {
  const backend = createQueueBackend({ databaseUrl, prefix: '' });
  try {
    return await backend.findProblem();
  } finally {
    await backend.disconnect();
  }
}
