import { isIP } from 'node:net';
import { DomainError } from '#errors';
import type { AddressPolicy } from './address-policy.js';

/** Rules for the host and the port of a URL. Checking them takes no DNS lookup. */
export interface TargetPolicy {
  addressPolicy: AddressPolicy;
  /** Empty if every port is allowed. */
  allowedPorts: readonly number[];
}

export interface UrlPolicy extends TargetPolicy {
  allowHttp: boolean;
}

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };
// The addresses of `localhost` (RFC 6761, section 6.3).
const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'];

/**
 * Accepts only URLs that every parser parses in the same way. Whitespace, obfuscated hosts (`0x7f.1`, `2130706433`,
 * `%31`) and look-alike letters are refused. The IP addresses of a host name are checked when Galley connects.
 * @throws DomainError `invalid`; the message says what to correct.
 */
export function assertUrlAllowed(text: string, policy: UrlPolicy): void {
  const urlError = (problem: string) => DomainError.invalid('url', `url ${problem}`);
  const url = URL.parse(text);
  const [, authority = ''] = /^https?:\/\/([^/?#\s]+)\S*$/i.exec(text) ?? [];
  if (url === null || authority === '') {
    throw urlError('must be a complete URL such as https://example.com/webhooks');
  }
  if (url.protocol === 'http:' && !policy.allowHttp) throw urlError('must begin with https://');
  if (authority.includes('@')) throw urlError('must not contain a user name or password');
  if (text.includes('#')) throw urlError('must not have a fragment (#…)');
  const host = authority.replace(/:\d*$/, '').toLowerCase();
  if (/[^\x21-\x7e]/.test(host)) {
    throw urlError(
      `must have its host in ASCII: ${url.hostname}, if that is the host that you mean`,
    );
  }
  const isIpv6 = host.startsWith('[');
  if (!isIpv6 && host !== url.hostname) {
    throw urlError(`must have its host in its standard form: ${url.hostname}`);
  }
  const problem = findTargetProblem(url, policy);
  if (problem === 'port') {
    throw urlError(`must use an allowed port: ${policy.allowedPorts.join(', ')}`);
  }
  if (problem === 'name') throw urlError('must not have empty labels (..) in its host');
  if (problem === 'address') {
    throw urlError('must not point to a private address, unless the operator of Galley allows it');
  }
}

/**
 * Checks a URL without a DNS lookup, when the URL is stored and again before each attempt. The second check is needed
 * because the operator may have changed the policy, and because a proxy connects to any host that Galley names.
 */
export function findTargetProblem(
  url: URL,
  { addressPolicy, allowedPorts }: TargetPolicy,
): 'port' | 'name' | 'address' | undefined {
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : Number(url.port);
  if (allowedPorts.length > 0 && !allowedPorts.includes(port ?? NaN)) return 'port';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // Some resolvers accept `127.0.0.1..` as an IP address. A single trailing dot is valid.
  if (/^\.|\.\./.test(host)) return 'name';
  if (/(^|\.)localhost\.?$/.test(host)) {
    return LOOPBACK_ADDRESSES.some((ipAddress) => addressPolicy.allows(ipAddress))
      ? undefined
      : 'address';
  }
  return isIP(host) === 0 || addressPolicy.allows(host) ? undefined : 'address';
}

export const isSameOrigin = (first: string, second: string): boolean =>
  new URL(first).origin === new URL(second).origin;
