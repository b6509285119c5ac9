import { Logger } from '@nestjs/common';
import { Redis, type Result } from 'ioredis';
import type { Bucket, Usage } from './policy.js';

// Redis answers within a millisecond. What takes longer than this is a fault, of which nobody is to notice more.
const RESPONSE_TIMEOUT_MS = 250;
// To connect, and to try again after each loss of the connection: so a Redis that is only slow holds up a
// request now and then.
const RECONNECT_MS = 2_000;
// How long what nobody waits for is gathered. Then a caller's requests cost Redis one increment, however many they are.
const COALESCE_MS = 10;
// What costs is the command, not what it counts. This many hold up Redis for a millisecond.
const MAX_BUCKETS_PER_COMMAND = 200;

/** KEYS are buckets. ARGV[1] is how many milliseconds their windows last, and behind it stands what to add to each. */
const INCREMENT_BUCKETS = `
  local counts = {}
  for i, key in ipairs(KEYS) do
    local used = redis.call('INCRBY', key, ARGV[i + 1])
    local endsIn = redis.call('PTTL', key)
    if endsIn < 0 then
      endsIn = tonumber(ARGV[1])
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
 * Counters that all processes on one Redis share. A window begins with the first request in a bucket.
 * What is to be counted while a command is under way shares the next one.
 */
export class RedisCounters {
  private readonly logger = new Logger('RateLimits');
  private readonly redis: Redis;
  private readonly deferred = new Map<string, { bucket: Bucket; amount: number }>();
  private pending: PendingIncrement[] = [];
  private isFlushing = false;
  /** From a fault to the next connection nobody asks it, so that only those wait who had asked already. */
  private isReady = false;
  private isUnresponsive = false;
  private readonly onClose = () => this.markUnavailable(new Error('The connection was closed.'));

  /** @param onUsage is told of every answer of Redis. */
  constructor(
    url: string,
    connectionName: string,
    private readonly windowMs: number,
    private readonly onUsage: (usage: Usage) => void,
  ) {
    this.redis = new Redis(url, {
      lazyConnect: true,
      connectionName,
      connectTimeout: RECONNECT_MS,
      commandTimeout: RECONNECT_MS,
      retryStrategy: () => RECONNECT_MS,
      // What cannot be counted here at once is counted elsewhere, and not once more later.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      scripts: { countRequests: { lua: INCREMENT_BUCKETS } },
    });
    this.redis.on('ready', () => (this.isReady = true));
    this.redis.on('error', (error) => this.markUnavailable(error));
    this.redis.on('close', this.onClose);
  }

  async connect(): Promise<void> {
    // It goes on trying; that it failed is logged by the events.
    await this.redis.connect().catch(() => undefined);
  }

  disconnect(): void {
    this.redis.off('close', this.onClose).disconnect();
  }

  /** @returns undefined when Redis does not respond. */
  increment(bucket: Bucket, amount = 1): Promise<Usage | undefined> {
    return new Promise((resolve) => {
      this.pending.push({ bucket, amount, resolve });
      if (!this.isFlushing) void this.flush();
    });
  }

  /** Counts in a moment, for those who need not know at once. */
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
    // What is asked for together goes together from the start.
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
    const amounts = chunk.map((increment) => increment.amount);
    try {
      const counts = await withTimeout(
        this.redis.countRequests(keys.length, ...keys, this.windowMs, ...amounts),
      );
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
      'Redis does not respond; until it does, each API counts its requests alone.',
    );
  }

  /** Only an answer shows that it is: one that is full, or slow, can be connected as well. */
  private markAvailable(): void {
    if (!this.isUnresponsive) return;
    this.isUnresponsive = false;
    this.logger.log('Redis is back and counts the requests of all APIs.');
  }
}

function withTimeout<T>(response: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // Where this process was busy all the time, the answer may be there and only not read yet.
    const timer = setTimeout(
      () => setImmediate(() => reject(new Error(`No answer within ${RESPONSE_TIMEOUT_MS} ms.`))),
      RESPONSE_TIMEOUT_MS,
    );
    void response.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
