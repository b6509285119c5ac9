import { Logger } from '@nestjs/common';
import { Redis, type Result } from 'ioredis';
import type { Bucket, Usage } from './policy.js';

// Redis answers within a millisecond. What takes longer than this is a fault, of which nobody is to notice more.
const PATIENCE_MS = 250;
// To connect, and to try again after each loss of the connection: so a Redis that is only slow holds up a
// request now and then.
const RECONNECT_MS = 2_000;
// How long what nobody waits for is gathered. Then a caller's requests cost Redis one increment, however many they are.
const GATHER_MS = 10;
// What costs is the command, not what it counts. This many hold up Redis for a millisecond.
const BUCKETS_IN_A_COMMAND = 200;

/** KEYS are buckets. ARGV[1] is how many milliseconds their windows last, and behind it stands what to add to each. */
const COUNT = `
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
    ): Result<[used: number, endsInMs: number][], Context>;
  }
}

interface Waiting {
  bucket: Bucket;
  times: number;
  resolve: (usage: Usage | undefined) => void;
}

/**
 * Counters that all processes on one Redis share. A window begins with the first request in a bucket.
 * What is to be counted while a command is under way shares the next one.
 */
export class RedisCounters {
  private readonly logger = new Logger('RateLimits');
  private readonly redis: Redis;
  private readonly noted = new Map<string, { bucket: Bucket; times: number }>();
  private waiting: Waiting[] = [];
  private isSending = false;
  /** From a fault to the next connection nobody asks it, so that only those wait who had asked already. */
  private isUsable = false;
  private isAway = false;
  private readonly onClose = () => this.leave(new Error('The connection was closed.'));

  /** @param learn is told of every answer of Redis. */
  constructor(
    url: string,
    connectionName: string,
    private readonly windowMs: number,
    private readonly learn: (usage: Usage) => void,
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
      scripts: { countRequests: { lua: COUNT } },
    });
    this.redis.on('ready', () => (this.isUsable = true));
    this.redis.on('error', (error) => this.leave(error));
    this.redis.on('close', this.onClose);
  }

  async connect(): Promise<void> {
    // It goes on trying; that it failed is logged by the events.
    await this.redis.connect().catch(() => undefined);
  }

  disconnect(): void {
    this.redis.off('close', this.onClose).disconnect();
  }

  /** @returns undefined when Redis does not answer. */
  count(bucket: Bucket, times = 1): Promise<Usage | undefined> {
    return new Promise((resolve) => {
      this.waiting.push({ bucket, times, resolve });
      if (!this.isSending) void this.send();
    });
  }

  /** Counts in a moment, for those who need not know at once. */
  note(bucket: Bucket): void {
    if (this.noted.size === 0) setTimeout(() => this.countNoted(), GATHER_MS);
    const { times } = this.noted.get(bucket.key) ?? { times: 0 };
    this.noted.set(bucket.key, { bucket, times: times + 1 });
  }

  private countNoted(): void {
    for (const { bucket, times } of this.noted.values()) void this.count(bucket, times);
    this.noted.clear();
  }

  private async send(): Promise<void> {
    this.isSending = true;
    // What is asked for together goes together from the start.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BUCKETS_IN_A_COMMAND);
      const counts = await this.ask(batch);
      for (const [at, { bucket, resolve }] of batch.entries()) {
        const [used, endsInMs] = counts?.[at] ?? [NaN, NaN];
        const usage = counts && { ...bucket, used, endsInMs };
        if (usage) this.learn(usage);
        resolve(usage);
      }
    }
    this.isSending = false;
  }

  private async ask(batch: Waiting[]): Promise<[used: number, endsInMs: number][] | undefined> {
    if (!this.isUsable) return undefined;
    const keys = batch.map(({ bucket }) => bucket.key);
    const times = batch.map((each) => each.times);
    try {
      const counts = await inTime(
        this.redis.countRequests(keys.length, ...keys, this.windowMs, ...times),
      );
      this.noteBack();
      return counts;
    } catch (error) {
      this.leave(error);
      return undefined;
    }
  }

  private leave(reason: unknown): void {
    if (this.isUsable && this.redis.status === 'ready') this.redis.disconnect(true);
    this.isUsable = false;
    if (this.isAway) return;
    this.isAway = true;
    this.logger.warn(
      { err: reason, stage: 'rate limits' },
      'Redis does not answer; until it does each API counts its requests alone.',
    );
  }

  /** Only an answer shows that it is: one that is full, or slow, can be connected as well. */
  private noteBack(): void {
    if (!this.isAway) return;
    this.isAway = false;
    this.logger.log('Redis is back and counts the requests of all APIs.');
  }
}

function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // Where this process was busy all the time, the answer may be there and only not read yet.
    const timer = setTimeout(
      () => setImmediate(() => reject(new Error(`No answer within ${PATIENCE_MS} ms.`))),
      PATIENCE_MS,
    );
    void answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
