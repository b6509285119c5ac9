import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/**
 * The IP address that a request came from: where TRUSTED_PROXIES names the proxies before Galley,
 * the one that these say they have seen. What a proxy passes on may be no address at all.
 */
export function addressOf({ ip, socket }: FastifyRequest): string {
  const address = ipaddr.isValid(ip) ? ip : (socket.remoteAddress ?? '');
  return ipaddr.process(address).toString();
}
