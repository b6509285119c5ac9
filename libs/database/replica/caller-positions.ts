import { Logger } from '@nestjs/common';
import { createRedis, resolveKeyPrefix, type RedisClient } from '#redis';
import type { Result } from 'ioredis';
import { MAX_LAG_MS } from './replica.js';
import { maxPosition, type WalPosition } from './wal-position.js';

// A replica that is in use has every commit that is older than MAX_LAG_MS, so older positions are not needed. They are
// kept for twice that time, as a safety margin.
const RETENTION_SECONDS = (2 * MAX_LAG_MS) / 1_000;
const RETENTION_MS = RETENTION_SECONDS * 1_000;
// Redis normally responds within a millisecond. If Redis takes longer than this timeout, the read goes to the primary.
const RESPONSE_TIMEOUT_MS = 250;
const RECONNECT_MS = 2_000;
// A single late response may be the fault of a busy API. After this many consecutive failures, the connection is
// replaced.
const MAX_FAILURES = 3;
/** Greater than any position of a server, so the caller reads from the primary. */
const UNKNOWN: WalPosition = (1n << 64n) - 1n;
const NOTHING_WRITTEN: WalPosition = 0n;

/**
 * Concurrent requests from a caller may end in any order, so a stored position must never move backwards. Hexadecimal
 * strings of the same length sort in numerical order.
 */
const ADVANCE = `
  local known = redis.call('GET', KEYS[1])
  if known and known > ARGV[1] then return end
  return redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    advancePosition(
      numberOfKeys: 1,
      key: string,
      position: string,
      seconds: number,
    ): Result<unknown, Context>;
  }
}

export interface CallerPositionsOptions {
  /** With Redis, all API processes share the positions. Without Redis, each process knows only its own writes. */
  redisUrl: string | undefined;
  /** The prefix of all keys in Redis, from `QUEUE_PREFIX`. */
  prefix: string;
}

/** Tracks the WAL position that a replica must have reached before a caller may read from it. */
export class CallerPositions {
  private readonly logger = new Logger('Replica');
  private readonly memory = new Map<string, { position: WalPosition; expiresAt: number }>();
  private readonly redis: RedisClient | undefined;
  private readonly prefix: string;
  private failuresInARow = 0;
  /** Until this time, positions may be missing from Redis. */
  private incompleteUntil = Infinity;

  constructor({ redisUrl, prefix }: CallerPositionsOptions) {
    this.prefix = `${redisUrl === undefined ? prefix : resolveKeyPrefix(redisUrl, prefix)}:positions`;
    if (redisUrl === undefined) {
      this.logger.warn(
        { stage: 'replica' },
        'DATABASE_REPLICA_URL is set without REDIS_URL, so an API does not know what callers have written through another API: set REDIS_URL, or run only one API.',
      );
      return;
    }
    this.redis = createRedis(redisUrl, {
      whenUnavailable: 'fail',
      lazyConnect: true,
      connectionName: this.prefix,
      connectTimeout: RECONNECT_MS,
      commandTimeout: RESPONSE_TIMEOUT_MS,
      reconnectMs: RECONNECT_MS,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      scripts: { advancePosition: { lua: ADVANCE } },
    });
    this.redis.on('ready', () => this.onReady());
    this.redis.on('error', (error) => this.markUnresponsive(error));
  }

  /** Starts to connect, but does not wait for the connection. Until Redis responds, reads run on the primary. */
  connect(): void {
    this.redis?.connect().catch(() => undefined);
  }

  disconnect(): void {
    this.redis?.disconnect();
  }

  /** @returns undefined if this API does not know what the caller has written. */
  async of(userId: string): Promise<WalPosition | undefined> {
    const own = this.findOwnPosition(userId);
    if (this.redis === undefined) return own;
    if (this.redis.status !== 'ready' || performance.now() < this.incompleteUntil) return undefined;
    try {
      const shared = await this.redis.get(this.redisKey(userId));
      this.failuresInARow = 0;
      return maxPosition(own, shared === null ? NOTHING_WRITTEN : BigInt(`0x${shared}`));
    } catch (error) {
      this.markUnresponsive(error);
      return undefined;
    }
  }

  /** @param position undefined if it is unknown: the caller then reads from the primary for a while. */
  async remember(userId: string, position: WalPosition = UNKNOWN): Promise<void> {
    this.keepInMemory(userId, position);
    if (this.redis?.status !== 'ready') return;
    const digits = position.toString(16).padStart(16, '0');
    await this.redis
      .advancePosition(1, this.redisKey(userId), digits, RETENTION_SECONDS)
      .catch((error: unknown) => this.markUnresponsive(error));
  }

  private findOwnPosition(userId: string): WalPosition {
    const own = this.memory.get(userId);
    return own && own.expiresAt > performance.now() ? own.position : NOTHING_WRITTEN;
  }

  private keepInMemory(userId: string, position: WalPosition): void {
    if (this.findOwnPosition(userId) >= position) return;
    const now = performance.now();
    // Deleting the entry first moves it to the end of the map. The map therefore stays in order of expiry, and expired
    // entries come first.
    this.memory.delete(userId);
    this.memory.set(userId, { position, expiresAt: now + RETENTION_MS });
    for (const [id, { expiresAt }] of this.memory) {
      if (expiresAt > now) break;
      this.memory.delete(id);
    }
  }

  private onReady(): void {
    // Redis may have restarted, or this may be a different Redis, so Redis may lack positions of commits. A replica
    // that is in use lags by at most `MAX_LAG_MS`: after that time, it has replayed all commits before this moment.
    this.incompleteUntil = performance.now() + MAX_LAG_MS;
  }

  private markUnresponsive(error: unknown): void {
    this.failuresInARow++;
    if (this.failuresInARow >= MAX_FAILURES && this.redis?.status === 'ready')
      this.redis.disconnect(true);
    if (this.failuresInARow > 1) return;
    this.logger.warn(
      { err: error, stage: 'replica' },
      'Redis did not respond, so the API does not know what callers have written, and reads from the primary.',
    );
  }

  private redisKey(userId: string): string {
    return `${this.prefix}:${userId}`;
  }
}
