import { isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/**
 * The IP address that a request came from: where TRUSTED_PROXIES names the proxies before Galley,
 * the one that these say they have seen. What a proxy passes on may be no address at all; null when
 * the caller is gone.
 */
export function addressOf(request: FastifyRequest): string | null {
  return addressIn(request)?.toString() ?? null;
}

/**
 * What rate limits go by: the IP address, of IPv6 its network (/64), for a single machine may use all of
 * that. All whose address cannot be told any more are one.
 */
export function networkOf(request: FastifyRequest): string {
  // The usual case, which need not be parsed.
  if (isIPv4(request.ip)) return request.ip;
  const address = addressIn(request);
  if (address === undefined || address instanceof ipaddr.IPv4) return String(address);
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

function addressIn({ ip, socket }: FastifyRequest): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // Of a caller who is gone Fastify has no address either, though its types do not say so.
  const usable = [ip as string | undefined, socket.remoteAddress]
    .map((address = '') => address)
    // Some balancers name the port as well.
    .map((address) => address.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1'))
    // The zone of a link-local address means something on this machine alone.
    .map((address) => address.replace(/%.*/, ''))
    .find((address) => ipaddr.isValid(address));
  return usable === undefined ? undefined : ipaddr.process(usable);
}
