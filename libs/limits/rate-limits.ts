import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { resolveKeyPrefix } from '#redis';
import { MemoryCounters } from './memory-counters.js';
import {
  isOverQuota,
  type Bucket,
  type CallerKeys,
  type Policy,
  type PolicyName,
  type Usage,
} from './policy.js';
import { RedisCounters } from './redis-counters.js';

// A caller with more requests left than this does not wait for Redis. The limit stays exact: between two exchanges with
// Redis, all processes together serve fewer than 1,000 requests of a caller.
const ASYNC_COUNT_MIN_REMAINING = 1_000;

export interface RateLimitsOptions {
  /** The number of requests that a window allows; 0 means no limit. */
  quotas: Record<PolicyName, number>;
  /** With Redis, all processes count together; without it, each process counts alone. */
  redisUrl?: string;
  /** The prefix of all keys in Redis, from `QUEUE_PREFIX`. */
  prefix: string;
}

export const RATE_LIMITS_OPTIONS = Symbol('RATE_LIMITS_OPTIONS');

/**
 * Counts requests in memory; with Redis, all processes count together. No library meets Galley's needs.
 * `@fastify/rate-limit` and `@nestjs/throttler` count at a single point while a request is handled, but Galley counts
 * an IP address before it verifies the token, and a user afterwards. `rate-limiter-flexible` bounds neither its memory
 * nor the wait for an unresponsive Redis, and sends one command per request and limit.
 */
@Injectable()
export class RateLimits implements OnModuleInit, OnApplicationShutdown {
  /** The policies that have a limit. */
  readonly policies: readonly Policy[];
  private readonly logger = new Logger(RateLimits.name);
  private readonly memory = new MemoryCounters();
  private readonly redis: RedisCounters | undefined;
  private readonly prefix: string;

  constructor(@Inject(RATE_LIMITS_OPTIONS) { quotas, redisUrl, prefix }: RateLimitsOptions) {
    this.policies = (['address', 'user', 'test-sends'] as const)
      .map((name) => ({ name, quota: quotas[name] }))
      .filter(({ quota }) => quota > 0);
    this.prefix = `${redisUrl === undefined ? prefix : resolveKeyPrefix(redisUrl, prefix)}:limits`;
    if (redisUrl !== undefined && this.policies.length > 0) {
      this.redis = new RedisCounters(redisUrl, this.prefix, (usage) => this.memory.merge(usage));
    }
  }

  async onModuleInit(): Promise<void> {
    await this.redis?.connect();
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  /**
   * Counts a request for each of the given callers: an IP address, a user, or both; or a test email of a user.
   *
   * @returns the usage of each caller; if the request is refused, only the usage of the limit that was exceeded. The
   * result is a promise only if the request waits for Redis.
   */
  consume(callerKeys: CallerKeys): Usage[] | Promise<Usage[]> {
    const buckets = this.policies.flatMap((policy): Bucket[] => {
      const callerKey = callerKeys[policy.name];
      return callerKey === undefined
        ? []
        : [{ policy, key: `${this.prefix}:${policy.name}:${callerKey}` }];
    });
    // A caller that is known to be over a quota is refused until the window ends, so a flood costs Redis nothing.
    const alreadyExceeded = buckets.map((bucket) => this.memory.peek(bucket)).find(isOverQuota);
    if (alreadyExceeded !== undefined) return [alreadyExceeded];
    const usages = buckets.map((bucket) => this.increment(bucket));
    const counted = usages.filter((usage): usage is Usage => !(usage instanceof Promise));
    if (counted.length === usages.length) return this.onlyExceeded(counted);
    return Promise.all(usages.map((usage) => Promise.resolve(usage))).then((all) =>
      this.onlyExceeded(all),
    );
  }

  /** Returns only the usage that exceeds its limit; all usages if none does. */
  private onlyExceeded(usages: Usage[]): Usage[] {
    const exceeded = usages.find(isOverQuota);
    if (exceeded === undefined) return usages;
    // Only the process that counted the first excess request logs the caller.
    if (exceeded.used === exceeded.policy.quota + 1) {
      this.logger.warn({ stage: 'rate limits', key: exceeded.key }, 'A caller is over its quota.');
    }
    return [exceeded];
  }

  private increment(bucket: Bucket): Usage | Promise<Usage> {
    const usage = this.memory.increment(bucket);
    if (this.redis === undefined) return usage;
    // The first request of a window waits for Redis, because only Redis knows what other processes have counted.
    if (usage.used > 1 && usage.policy.quota - usage.used > ASYNC_COUNT_MIN_REMAINING) {
      this.redis.incrementLater(bucket);
      return usage;
    }
    return this.redis.increment(bucket).then((shared) => shared ?? usage);
  }
}
