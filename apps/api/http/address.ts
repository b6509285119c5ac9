import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/**
 * The IP address that a request came from: where TRUSTED_PROXIES names the proxies before Galley,
 * the one that these say they have seen. What a proxy passes on may be no address at all; null when
 * the caller is gone.
 */
export function addressOf({ ip, socket }: FastifyRequest): string | null {
  const usable = [ip, socket.remoteAddress ?? '']
    // Some balancers name the port as well.
    .map((address) => address.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1'))
    // The zone of a link-local address means something on this machine alone.
    .map((address) => address.replace(/%.*/, ''))
    .find((address) => ipaddr.isValid(address));
  return usable === undefined ? null : ipaddr.process(usable).toString();
}
