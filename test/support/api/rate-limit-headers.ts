import { parseList } from 'structured-headers';
import type { ApiResponse } from './api-response.js';
import type { Client } from './client.js';

type Parameters = Record<string, unknown>;

/** The rate limits in the headers of a response, by the names of the policies. */
export interface RateLimitState {
  policies: Record<string, Parameters>;
  remaining: Record<string, Parameters>;
  retryAfter: number | undefined;
}

export function readRateLimits({ headers }: Pick<ApiResponse<unknown>, 'headers'>): RateLimitState {
  const retryAfter = headers.get('retry-after');
  return {
    policies: parseItems(headers.get('ratelimit-policy')),
    remaining: parseItems(headers.get('ratelimit')),
    retryAfter: retryAfter === null ? undefined : Number(retryAfter),
  };
}

const parseItems = (field: string | null): Record<string, Parameters> =>
  Object.fromEntries(
    parseList(field ?? '').map(([name, parameters]) => [
      String(name),
      Object.fromEntries<unknown>(parameters),
    ]),
  );

/** An IP address that no other test uses. */
export function newIpAddress(): string {
  const bits = Math.floor(Math.random() * 2 ** 24);
  return `203.${bits >> 16}.${(bits >> 8) & 255}.${bits & 255}`;
}

/**
 * Sends a request that seems to come from an IP address, to a Galley that trusts the proxies of this
 * machine.
 */
export const requestFrom = <Body>(
  address: string,
  client: Client,
  path = '/api/auth/me',
  method = 'GET',
): Promise<ApiResponse<Body>> =>
  client.raw(method, path, undefined, { 'x-forwarded-for': address });
