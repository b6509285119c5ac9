import { lookup as systemLookup, promises as dns, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { buildConnector } from 'undici';
import type { AddressPolicy } from './address-policy.js';
import {
  findCode,
  isLocalLimit,
  OperatorError,
  describeError,
  StageError,
  type AttemptStage,
} from './attempt-errors.js';

// Time limit for the TCP connection. The TLS handshake has a limit of the same length.
export const CONNECT_TIMEOUT_MS = 5_000;
const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;
// How long to wait for the IPv6 addresses after the IPv4 addresses are known. Some name servers never respond
// to one of the two queries.
const RESOLUTION_DELAY_MS = 200;

// Galley does not use the system resolver, which runs on only four threads: a few names whose name servers do not
// respond would block all other lookups.
export const createResolver = () => new dns.Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });

/**
 * Builds the connector for receivers. The connector resolves the host name, and connects only to IP addresses that the
 * policy allows. It connects to the address that it has checked and does not resolve the name again, which prevents DNS
 * rebinding. Errors are `StageError`s.
 */
export function buildGuardedConnector(
  policy: AddressPolicy,
  resolver: dns.Resolver = createResolver(),
): buildConnector.connector {
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolveAllowed(hostname, policy, resolver).then(
      ([first, ...others]) => {
        if (options.all) callback(null, [first, ...others]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error as StageError, ''),
    );
  };
  const connect = buildConnector({ lookup, timeout: CONNECT_TIMEOUT_MS });
  const connectTls = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    minVersion: 'TLSv1.2',
    allowH2: false,
  });
  return (options, callback) => {
    const fail = (stage: AttemptStage, error: Error) => {
      callback(error instanceof StageError ? error : toStageError(stage, error), null);
    };
    const host = options.hostname.replace(/^\[|\]$/g, '');
    // A literal IP address is not looked up, so `lookup` does not check it.
    if (isIP(host) !== 0 && !policy.allows(host)) {
      fail('dns', privateAddressError(host));
      return;
    }
    const isSecure = options.protocol === 'https:';
    const port = options.port || (isSecure ? '443' : '80');
    connect({ hostname: host, port, protocol: 'http:' }, (error, socket) => {
      if (error) fail('connect', error);
      else if (!isSecure) callback(null, socket);
      else {
        connectTls({ ...options, httpSocket: socket }, (tlsError, tlsSocket) => {
          if (tlsError) {
            socket.destroy();
            fail('tls', tlsError);
          } else callback(null, tlsSocket);
        });
      }
    });
  };
}

async function resolveAllowed(
  hostname: string,
  policy: AddressPolicy,
  resolver: dns.Resolver,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const resolved = await resolveHost(hostname, resolver).catch((cause: unknown) => {
    const error = cause as Error;
    const problem = isNameServerUnreachable(error)
      ? `no name server could be reached (${findCode(error)})`
      : describeError(error, 'dns');
    const message = `${hostname} could not be resolved: ${problem}`;
    throw isNameServerUnreachable(error)
      ? new OperatorError('dns', problem, message)
      : new StageError('dns', message, findCode(error));
  });
  const [first, ...others] = resolved.filter(({ address }) => policy.allows(address));
  if (first === undefined) throw privateAddressError(hostname);
  return [first, ...others];
}

export async function resolveHost(
  hostname: string,
  resolver: dns.Resolver,
): Promise<LookupAddress[]> {
  // RFC 6761, section 6.3, reserves these names for the loopback addresses.
  if (/(^|\.)localhost\.?$/i.test(hostname)) {
    return [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ];
  }
  // Names without a dot belong to the operator's own network, and only the system resolver can resolve them.
  if (!hostname.includes('.')) {
    return new Promise((done, failed) => {
      systemLookup(hostname, { all: true }, (error, addresses) => {
        if (error) failed(error);
        else done(addresses);
      });
    });
  }
  const ipv4 = resolver.resolve4(hostname);
  const ipv6 = resolver.resolve6(hostname);
  const ipv6Deadline = ipv4.then(
    () => delay(RESOLUTION_DELAY_MS, []),
    () => ipv6,
  );
  const [ipv4Result, ipv6Result] = await Promise.allSettled([
    ipv4,
    Promise.race([ipv6, ipv6Deadline]),
  ]);
  if (ipv4Result.status === 'rejected' && ipv6Result.status === 'rejected') {
    const [ipv4Error, ipv6Error] = [ipv4Result.reason, ipv6Result.reason] as [Error, Error];
    // If the IPv6 query failed because of a problem on Galley's side, that error takes precedence.
    throw isNameServerUnreachable(ipv6Error) || isLocalLimit(ipv6Error) ? ipv6Error : ipv4Error;
  }
  return [
    ...(ipv4Result.status === 'fulfilled'
      ? ipv4Result.value.map((address) => ({ address, family: 4 }))
      : []),
    ...(ipv6Result.status === 'fulfilled'
      ? ipv6Result.value.map((address) => ({ address, family: 6 }))
      : []),
  ];
}

/**
 * ECONNREFUSED means that c-ares could not open a socket, or that the operator's name servers refuse connections.
 * ETIMEOUT and ESERVFAIL do not count, because the name servers of the receiver's domain can also cause them.
 */
const isNameServerUnreachable = (error: Error): boolean => findCode(error) === 'ECONNREFUSED';

const privateAddressError = (host: string) =>
  new StageError('dns', `${host} is not a public address`);

const toStageError = (stage: AttemptStage, error: Error): StageError =>
  new StageError(stage, describeError(error, stage), findCode(error));
