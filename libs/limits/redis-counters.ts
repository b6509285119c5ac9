import { Logger } from '@nestjs/common';
import type { Result } from 'ioredis';
import { createRedis, type RedisClient } from '#redis';
import { windowMsOf, type Bucket, type Usage } from './policy.js';

// Redis normally responds within a millisecond. A longer wait is a fault, and must not delay requests any further.
const RESPONSE_TIMEOUT_MS = 250;
// The connection timeout, and the pause before a new connection. No command is sent during the pause, so a slow Redis
// delays requests at most once in two seconds.
const RECONNECT_MS = 2_000;
// Increments that no request waits for are collected for this long. The requests of one caller then cost
// Redis one increment, however many requests there are.
const COALESCE_MS = 10;
// A command costs more than an increment, so many increments share one command. A command with this many increments
// blocks Redis for a millisecond.
const MAX_BUCKETS_PER_COMMAND = 200;

/** KEYS are the buckets. ARGV has two values for each bucket: the increment, and the length of the window in ms. */
const INCREMENT_BUCKETS = `
  local counts = {}
  for i, key in ipairs(KEYS) do
    local used = redis.call('INCRBY', key, ARGV[2 * i - 1])
    local endsIn = redis.call('PTTL', key)
    if endsIn < 0 then
      endsIn = tonumber(ARGV[2 * i])
      redis.call('PEXPIRE', key, endsIn)
    end
    counts[i] = { used, endsIn }
  end
  return counts`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    countRequests(
      numberOfKeys: number,
      ...keysAndArguments: (string | number)[]
    ): Result<[used: number, resetsInMs: number][], Context>;
  }
}

interface PendingIncrement {
  bucket: Bucket;
  amount: number;
  resolve: (usage: Usage | undefined) => void;
}

/**
 * Counters that all processes with the same Redis share. A window begins with the first request in a bucket. Requests
 * that arrive while a command is in flight share the next command.
 */
export class RedisCounters {
  private readonly logger = new Logger('RateLimits');
  private readonly redis: RedisClient;
  private readonly deferred = new Map<string, { bucket: Bucket; amount: number }>();
  private pending: PendingIncrement[] = [];
  private isFlushing = false;
  /**
   * False after a fault, until the next connection. No command is sent meanwhile, so a fault delays only
   * the requests that are waiting when it happens.
   */
  private isReady = false;
  private isUnresponsive = false;
  private readonly onClose = () => this.markUnavailable(new Error('The connection was closed.'));

  /** @param onUsage receives each count that Redis returns. */
  constructor(
    url: string,
    connectionName: string,
    private readonly onUsage: (usage: Usage) => void,
  ) {
    this.redis = createRedis(url, {
      whenUnavailable: 'fail',
      lazyConnect: true,
      connectionName,
      connectTimeout: RECONNECT_MS,
      commandTimeout: RECONNECT_MS,
      reconnectMs: RECONNECT_MS,
      // An increment that cannot be sent now is not sent later, because this process has already counted
      // the request in memory.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      scripts: { countRequests: { lua: INCREMENT_BUCKETS } },
    });
    this.redis.on('ready', () => (this.isReady = true));
    this.redis.on('error', (error) => this.markUnavailable(error));
    this.redis.on('close', this.onClose);
  }

  async connect(): Promise<void> {
    // The client keeps retrying, and the listeners in the constructor log the failure. While no sentinel
    // responds, the promise of `connect` does not settle.
    const failure = new Promise((resolve) => this.redis.once('error', resolve));
    await Promise.race([this.redis.connect().catch(() => undefined), failure]);
  }

  disconnect(): void {
    this.redis.off('close', this.onClose).disconnect();
  }

  /** @returns undefined if Redis does not respond. */
  increment(bucket: Bucket, amount = 1): Promise<Usage | undefined> {
    return new Promise((resolve) => {
      this.pending.push({ bucket, amount, resolve });
      if (!this.isFlushing) void this.flush();
    });
  }

  /** Increments the counter a moment later, for requests that do not wait for the count. */
  incrementLater(bucket: Bucket): void {
    if (this.deferred.size === 0) setTimeout(() => this.flushDeferred(), COALESCE_MS);
    const { amount } = this.deferred.get(bucket.key) ?? { amount: 0 };
    this.deferred.set(bucket.key, { bucket, amount: amount + 1 });
  }

  private flushDeferred(): void {
    for (const { bucket, amount } of this.deferred.values()) void this.increment(bucket, amount);
    this.deferred.clear();
  }

  private async flush(): Promise<void> {
    this.isFlushing = true;
    // Waits, so that all increments of the same tick share the first command.
    await Promise.resolve();
    while (this.pending.length > 0) {
      const chunk = this.pending.splice(0, MAX_BUCKETS_PER_COMMAND);
      const counts = await this.execute(chunk);
      for (const [index, { bucket, resolve }] of chunk.entries()) {
        const [used, resetsInMs] = counts?.[index] ?? [NaN, NaN];
        const usage = counts && { ...bucket, used, resetsInMs };
        if (usage) this.onUsage(usage);
        resolve(usage);
      }
    }
    this.isFlushing = false;
  }

  private async execute(
    chunk: PendingIncrement[],
  ): Promise<[used: number, resetsInMs: number][] | undefined> {
    if (!this.isReady) return undefined;
    const keys = chunk.map(({ bucket }) => bucket.key);
    const values = chunk.flatMap(({ amount, bucket }) => [amount, windowMsOf(bucket.policy)]);
    try {
      const counts = await withTimeout(this.redis.countRequests(keys.length, ...keys, ...values));
      this.markAvailable();
      return counts;
    } catch (error) {
      this.markUnavailable(error);
      return undefined;
    }
  }

  private markUnavailable(reason: unknown): void {
    if (this.isReady && this.redis.status === 'ready') this.redis.disconnect(true);
    this.isReady = false;
    if (this.isUnresponsive) return;
    this.isUnresponsive = true;
    this.logger.warn(
      { err: reason, stage: 'rate limits' },
      'Redis does not respond; until it does, each API counts only its own requests.',
    );
  }

  /** Only a response proves that Redis works: a Redis that is full or slow also accepts connections. */
  private markAvailable(): void {
    if (!this.isUnresponsive) return;
    this.isUnresponsive = false;
    this.logger.log('Redis is back and counts the requests of all APIs.');
  }
}

function withTimeout<T>(response: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // If this process was busy, the response may have arrived without having been read. setImmediate lets
    // this process read the response first.
    const timer = setTimeout(
      () => setImmediate(() => reject(new Error(`No response within ${RESPONSE_TIMEOUT_MS} ms.`))),
      RESPONSE_TIMEOUT_MS,
    );
    void response.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
