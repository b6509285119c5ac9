import { Injectable } from '@nestjs/common';
import { DomainError } from '#errors';
import { Metrics } from '#metrics';
import {
  isOverQuota,
  RateLimits,
  WINDOW_SECONDS,
  type CallerKeys,
  type RequestPolicyName,
  type Usage,
} from '#limits';
import type { FastifyReply } from 'fastify';
import { networkOf } from '../http/ip-address.js';
import type { CallerRequest } from '../http/caller.js';
import { Authenticator } from './authenticator.js';

const SCOPE_DESCRIPTIONS: Record<RequestPolicyName, string> = {
  address: 'for each IP address',
  user: 'for each user or API key',
};

// Requests to these routes are not counted. The check uses the matched route instead of the path, so that no other
// request is exempt.
const EXEMPT_ROUTES = new Set(['/health/live', '/health/ready']);

/**
 * Counts requests, tells callers how many requests they have left, and refuses callers that have none left.
 * The headers are those of draft-ietf-httpapi-ratelimit-headers-11.
 */
@Injectable()
export class RequestLimits {
  private readonly policyHeader: string;

  constructor(
    private readonly rateLimits: RateLimits,
    private readonly authenticator: Authenticator,
    private readonly metrics: Metrics,
  ) {
    this.policyHeader = rateLimits.policies
      .filter(({ name }) => name in SCOPE_DESCRIPTIONS)
      .map(({ name, quota }) => `"${name}";q=${quota};w=${WINDOW_SECONDS[name]}`)
      .join(', ');
  }

  /**
   * Counts a request before its caller is authenticated. If the caller's token was verified within the last minute, a
   * single Redis command counts both the user and the IP address.
   * @returns a promise only if the request waits for Redis.
   * @throws DomainError `too_many_requests`
   */
  countRequest(request: CallerRequest, reply: FastifyReply): void | Promise<void> {
    if (EXEMPT_ROUTES.has(request.routeOptions.url ?? '')) return;
    const caller = this.authenticator.recognize(request);
    return this.count(reply, { address: networkOf(request), user: caller?.userId });
  }

  /**
   * Counts a request of a user whose token was not yet verified when the request arrived.
   * @throws DomainError `too_many_requests`
   */
  countUser(reply: FastifyReply, userId: string): void | Promise<void> {
    return this.count(reply, { user: userId });
  }

  private count(reply: FastifyReply, callerKeys: CallerKeys): void | Promise<void> {
    const usages = this.rateLimits.consume(callerKeys);
    if (usages instanceof Promise) return usages.then((counted) => this.report(reply, counted));
    this.report(reply, usages);
  }

  private report(reply: FastifyReply, usages: readonly Usage[]): void {
    if (usages.length === 0) return;
    void reply.header('ratelimit-policy', this.policyHeader);
    const exceeded = usages.find(isOverQuota);
    if (exceeded !== undefined) {
      this.metrics.add('galley_rate_limited_requests_total', { limit: exceeded.policy.name });
      // The header names only the exceeded policy, because the window of another policy may end later than
      // `Retry-After` says (section 6 of the draft).
      void reply.header('ratelimit', formatUsage(exceeded));
      throw tooManyRequests(exceeded);
    }
    const existingHeader = reply.getHeader('ratelimit');
    const header = usages.map(formatUsage).join(', ');
    void reply.header(
      'ratelimit',
      existingHeader === undefined ? header : `${String(existingHeader)}, ${header}`,
    );
  }
}

const formatUsage = (usage: Usage): string => {
  const { policy, used } = usage;
  return `"${policy.name}";r=${Math.max(0, policy.quota - used)};t=${secondsUntilReset(usage)}`;
};

/** Returns at least 1, because a caller that must wait zero seconds would retry immediately. */
const secondsUntilReset = ({ resetsInMs }: Usage): number =>
  Math.max(1, Math.ceil(resetsInMs / 1000));

function tooManyRequests(usage: Usage): DomainError {
  const { name, quota } = usage.policy as { name: RequestPolicyName; quota: number };
  const seconds = secondsUntilReset(usage);
  return new DomainError(
    'too_many_requests',
    `Too many requests: the limit is ${quota} requests in ${WINDOW_SECONDS[name]} seconds ${SCOPE_DESCRIPTIONS[name]}. ` +
      `Retry in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    undefined,
    { retryAfterSeconds: seconds },
  );
}
