import { Injectable } from '@nestjs/common';
import { DomainError } from '#errors';
import { isOver, RateLimits, WINDOW_S, type Callers, type Usage } from '#limits';
import type { FastifyReply } from 'fastify';
import { networkOf } from '../http/address.js';
import type { CallerRequest } from './actor.decorator.js';
import { bearerToken } from './bearer-token.js';
import { VerifiedTokens } from './verified-tokens.js';

const WHOM: Record<keyof Callers, string> = {
  address: 'from one address',
  user: 'of one user or API key',
};

// By route: what else begins like them is somebody's own doing.
const NOT_COUNTED = new Set(['/health/live', '/health/ready']);

/**
 * Counts requests, tells callers what they have left, and refuses those that have nothing left. The headers
 * are those of draft-ietf-httpapi-ratelimit-headers-11.
 */
@Injectable()
export class RequestLimits {
  private readonly policies: string;

  constructor(
    private readonly limits: RateLimits,
    private readonly verified: VerifiedTokens,
  ) {
    this.policies = limits.policies
      .map(({ name, quota }) => `"${name}";q=${quota};w=${WINDOW_S}`)
      .join(', ');
  }

  /**
   * Comes before all else that is done for a request. Who has sent a token that was verified a moment ago is
   * known already, and counted along with the address: then both are one command to Redis.
   * @throws DomainError `too_many_requests`
   */
  async arrive(request: CallerRequest, reply: FastifyReply): Promise<void> {
    if (NOT_COUNTED.has(request.routeOptions.url ?? '')) return;
    const userId = this.verified.userOf(bearerToken(request));
    if (userId !== undefined) request.user = { userId };
    await this.count(reply, { address: networkOf(request), user: userId });
  }

  /**
   * Counts a user whom `arrive` did not know yet.
   * @throws DomainError `too_many_requests`
   */
  countUser(reply: FastifyReply, userId: string): Promise<void> {
    return this.count(reply, { user: userId });
  }

  private async count(reply: FastifyReply, callers: Callers): Promise<void> {
    const usages = await this.limits.count(callers);
    if (usages.length === 0) return;
    void reply.header('ratelimit-policy', this.policies);
    const over = usages.find(isOver);
    if (over !== undefined) {
      // That one alone, so that no other is said to end later than Retry-After (section 6).
      void reply.header('ratelimit', describe(over));
      throw tooMany(over);
    }
    const told = reply.getHeader('ratelimit');
    const items = usages.map(describe);
    void reply.header('ratelimit', [...(told === undefined ? [] : [told]), ...items].join(', '));
  }
}

const describe = (usage: Usage): string => {
  const { policy, used } = usage;
  return `"${policy.name}";r=${Math.max(0, policy.quota - used)};t=${secondsIn(usage)}`;
};

/** Never none, for then a caller would come again at once. */
const secondsIn = ({ endsInMs }: Usage): number => Math.max(1, Math.ceil(endsInMs / 1000));

function tooMany(usage: Usage): DomainError {
  const { name, quota } = usage.policy;
  const seconds = secondsIn(usage);
  return new DomainError(
    'too_many_requests',
    `Too many requests: ${quota} in ${WINDOW_S} seconds are allowed ${WHOM[name]}. ` +
      `Come again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    undefined,
    { retryAfterSeconds: seconds },
  );
}
