import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { MemoryCounters } from './memory-counters.js';
import {
  isOverQuota,
  WINDOW_SECONDS,
  type Bucket,
  type CallerKeys,
  type Policy,
  type PolicyName,
  type Usage,
} from './policy.js';
import { RedisCounters } from './redis-counters.js';

const WINDOW_MS = WINDOW_SECONDS * 1000;
// Who has more than this left does not wait for Redis: all processes together serve no caller that many
// before they have told each other.
const ASYNC_COUNT_MIN_REMAINING = 1_000;

export interface RateLimitsOptions {
  /** Requests in a window; 0 for no limit. */
  quotas: Record<PolicyName, number>;
  /** With it all processes count together, without it each alone. */
  redisUrl?: string;
  /** What the keys in Redis begin with. */
  prefix: string;
}

export const RATE_LIMITS_OPTIONS = Symbol('RATE_LIMITS_OPTIONS');

/**
 * Counts requests in memory, and where there is Redis together with all other processes.
 *
 * No library for it fits. @fastify/rate-limit and @nestjs/throttler know one moment of a request, and
 * an address counts before its token is verified, a user after. rate-limiter-flexible bounds neither its
 * memory nor how long requests wait for a Redis that hangs, and sends a command for each request and limit.
 */
@Injectable()
export class RateLimits implements OnModuleInit, OnApplicationShutdown {
  /** Those that are in force. */
  readonly policies: readonly Policy[];
  private readonly logger = new Logger(RateLimits.name);
  private readonly memory = new MemoryCounters(WINDOW_MS);
  private readonly redis: RedisCounters | undefined;
  private readonly prefix: string;

  constructor(@Inject(RATE_LIMITS_OPTIONS) { quotas, redisUrl, prefix }: RateLimitsOptions) {
    this.policies = (['address', 'user'] as const)
      .map((name) => ({ name, quota: quotas[name] }))
      .filter(({ quota }) => quota > 0);
    this.prefix = `${prefix}:limits`;
    if (redisUrl !== undefined && this.policies.length > 0) {
      this.redis = new RedisCounters(redisUrl, this.prefix, WINDOW_MS, (usage) =>
        this.memory.merge(usage),
      );
    }
  }

  async onModuleInit(): Promise<void> {
    await this.redis?.connect();
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  /**
   * Counts a request of these callers.
   * @returns what they have used; of a request that is refused, the limit that it is over alone.
   */
  async consume(callerKeys: CallerKeys): Promise<Usage[]> {
    const buckets = this.policies.flatMap((policy): Bucket[] => {
      const callerKey = callerKeys[policy.name];
      return callerKey === undefined
        ? []
        : [{ policy, key: `${this.prefix}:${policy.name}:${callerKey}` }];
    });
    // Who is known to be over a quota is refused until the window ends: so a flood costs Redis nothing.
    const alreadyExceeded = buckets.map((bucket) => this.memory.peek(bucket)).find(isOverQuota);
    if (alreadyExceeded !== undefined) return [alreadyExceeded];
    const usages = await Promise.all(buckets.map((bucket) => this.increment(bucket)));
    const exceeded = usages.find(isOverQuota);
    if (exceeded === undefined) return usages;
    // Of all processes the one that counted the first too many writes it.
    if (exceeded.used === exceeded.policy.quota + 1) {
      this.logger.warn({ stage: 'rate limits', key: exceeded.key }, 'A caller is over its quota.');
    }
    return [exceeded];
  }

  private async increment(bucket: Bucket): Promise<Usage> {
    const usage = this.memory.increment(bucket);
    if (this.redis === undefined) return usage;
    // With the first request in a window it is not known yet what other processes have counted.
    if (usage.used > 1 && usage.policy.quota - usage.used > ASYNC_COUNT_MIN_REMAINING) {
      this.redis.incrementLater(bucket);
      return usage;
    }
    return (await this.redis.increment(bucket)) ?? usage;
  }
}
