import { isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/**
 * The IP address of the caller. If TRUSTED_PROXIES names the proxies in front of Galley, this is the address that
 * the proxies report. If the proxies report no valid address, this is the address of the connection. Null if the
 * caller has disconnected.
 */
export function ipAddressOf(request: FastifyRequest): string | null {
  return parseIpAddress(request)?.toString() ?? null;
}

/**
 * Returns the key under which requests are counted: an IPv4 address, or the /64 network of an IPv6 address. One machine
 * may use all addresses of its /64 network. Callers without a known address share one key.
 */
export function networkOf(request: FastifyRequest): string {
  // An IPv4 address, the usual case, needs no parsing.
  if (isIPv4(request.ip)) return request.ip;
  const ipAddress = parseIpAddress(request);
  if (ipAddress === undefined || ipAddress instanceof ipaddr.IPv4) return String(ipAddress);
  const network = ipAddress.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

function parseIpAddress({ ip, socket }: FastifyRequest): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // If the caller has disconnected, Fastify has no IP address, although its types say otherwise.
  const usable = [ip as string | undefined, socket.remoteAddress]
    .map((candidate = '') => candidate)
    // Some load balancers add the port.
    .map((candidate) =>
      candidate.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1'),
    )
    // The zone of a link-local address is meaningful only on this machine.
    .map((candidate) => candidate.replace(/%.*/, ''))
    .find((candidate) => ipaddr.isValid(candidate));
  return usable === undefined ? undefined : ipaddr.process(usable);
}
