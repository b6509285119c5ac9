import { isIP } from 'node:net';
import { DomainError } from '#errors';
import type { AddressPolicy } from './addresses.js';

/** Which hosts and ports webhooks may go to, as far as a URL shows them. */
export interface TargetPolicy {
  addresses: AddressPolicy;
  /** Empty when any will do. */
  allowedPorts: readonly number[];
}

export interface UrlPolicy extends TargetPolicy {
  allowHttp: boolean;
}

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };
// RFC 6761, section 6.3.
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * What is stored is what is called, so that nothing is left to a parser's goodwill: white space,
 * hosts in disguise (`0x7f.1`, `2130706433`, `%31`) and letters that look like others are refused.
 * What a name resolves to is checked when it is dialled.
 * @throws DomainError `invalid` that says what to mend.
 */
export function checkUrl(text: string, policy: UrlPolicy): void {
  const refuse = (problem: string) => DomainError.invalid('url', `url ${problem}`);
  const url = URL.parse(text);
  const [, authority = ''] = /^https?:\/\/([^/?#\s]+)\S*$/i.exec(text) ?? [];
  if (url === null || authority === '') {
    throw refuse('must be a complete address such as https://example.com/webhooks');
  }
  if (url.protocol === 'http:' && !policy.allowHttp) throw refuse('must begin with https://');
  if (authority.includes('@')) throw refuse('must not carry a user or password');
  if (text.includes('#')) throw refuse('must not have a fragment (#…)');
  const host = authority.replace(/:\d*$/, '').toLowerCase();
  if (/[^\x21-\x7e]/.test(host)) {
    throw refuse(`must name its host in ASCII: ${url.hostname}, if that is the one you mean`);
  }
  const isIpv6 = host.startsWith('[');
  if (!isIpv6 && host !== url.hostname) {
    throw refuse(`must name its host as it is called: ${url.hostname}`);
  }
  const problem = problemOfTarget(url, policy);
  if (problem === 'port') {
    throw refuse(`must use one of the ports ${policy.allowedPorts.join(', ')}`);
  }
  if (problem === 'name') throw refuse('must name its host without empty labels (..)');
  if (problem === 'address') {
    throw refuse('must not name a private address; the operator can allow ranges');
  }
}

/**
 * Checks what a URL shows without a DNS lookup. This happens at creation and again at each attempt:
 * the operator may have changed the policy since, and a proxy dials whatever it is given.
 */
export function problemOfTarget(
  url: URL,
  { addresses, allowedPorts }: TargetPolicy,
): 'port' | 'name' | 'address' | undefined {
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : Number(url.port);
  if (allowedPorts.length > 0 && !allowedPorts.includes(port ?? NaN)) return 'port';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // Some resolvers take `127.0.0.1..` for an address. A single dot at the end is valid.
  if (/^\.|\.\./.test(host)) return 'name';
  if (/(^|\.)localhost\.?$/.test(host)) {
    return LOOPBACK.some((address) => addresses.allows(address)) ? undefined : 'address';
  }
  return isIP(host) === 0 || addresses.allows(host) ? undefined : 'address';
}

export const isSameOrigin = (one: string, other: string): boolean =>
  new URL(one).origin === new URL(other).origin;
