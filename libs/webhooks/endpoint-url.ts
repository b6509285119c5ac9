import { isIP } from 'node:net';
import { DomainError } from '#errors';
import type { AddressPolicy } from './addresses.js';

export interface UrlPolicy {
  addresses: AddressPolicy;
  allowHttp: boolean;
  /** Empty when any will do. */
  allowedPorts: readonly number[];
}

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };

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
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : Number(url.port);
  if (policy.allowedPorts.length > 0 && !policy.allowedPorts.includes(port ?? NaN)) {
    throw refuse(`must use one of the ports ${policy.allowedPorts.join(', ')}`);
  }
  const bare = url.hostname.replace(/^\[|\]$/g, '');
  const address = /(^|\.)localhost\.?$/.test(bare) ? '127.0.0.1' : bare;
  if (isIP(address) !== 0 && !policy.addresses.allows(address)) {
    throw refuse('must not name a private address; the operator can allow ranges');
  }
}

export const isSameOrigin = (one: string, other: string): boolean =>
  new URL(one).origin === new URL(other).origin;
