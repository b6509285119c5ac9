import { lookup as systemLookup, promises as dns, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { buildConnector } from 'undici';
import type { AddressPolicy } from './addresses.js';
import {
  codeOf,
  isLocalLimit,
  OperatorError,
  sentenceOf,
  StageError,
  type Stage,
} from './attempt-errors.js';

// For each of the two steps, the connection itself and TLS on it.
export const CONNECT_TIMEOUT_MS = 5_000;
const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;
// How long the other kind of address is waited for once one is there: some servers never answer for it.
const RESOLUTION_DELAY_MS = 200;

// Not the system's resolver: that has four threads, which a few names whose servers do not answer
// would keep from everybody else.
const ownResolver = () => new dns.Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });

/**
 * Connects to receivers. A name is resolved and only addresses that the policy allows are handed
 * on, so that what was checked is what is dialled, whatever the name resolves to a moment later.
 * Errors are `StageError`s.
 */
export function guardedConnector(
  policy: AddressPolicy,
  resolver: dns.Resolver = ownResolver(),
): buildConnector.connector {
  const lookup: LookupFunction = (hostname, options, callback) => {
    allowedAddresses(hostname, policy, resolver).then(
      ([first, ...others]) => {
        if (options.all) callback(null, [first, ...others]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error as StageError, ''),
    );
  };
  const connect = buildConnector({ lookup, timeout: CONNECT_TIMEOUT_MS });
  const secure = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    minVersion: 'TLSv1.2',
    allowH2: false,
  });
  return (options, callback) => {
    const fail = (stage: Stage, error: Error) => {
      callback(error instanceof StageError ? error : failureOf(stage, error), null);
    };
    const address = options.hostname.replace(/^\[|\]$/g, '');
    // An address that is written out is dialled without a look-up.
    if (isIP(address) !== 0 && !policy.allows(address)) {
      fail('dns', refusal(address));
      return;
    }
    const isSecure = options.protocol === 'https:';
    const port = options.port || (isSecure ? '443' : '80');
    connect({ hostname: address, port, protocol: 'http:' }, (error, socket) => {
      if (error) fail('connect', error);
      else if (!isSecure) callback(null, socket);
      else {
        secure({ ...options, httpSocket: socket }, (tlsError, tlsSocket) => {
          if (tlsError) {
            socket.destroy();
            fail('tls', tlsError);
          } else callback(null, tlsSocket);
        });
      }
    });
  };
}

async function allowedAddresses(
  hostname: string,
  policy: AddressPolicy,
  resolver: dns.Resolver,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const addresses = await resolve(hostname, resolver).catch((cause: unknown) => {
    const error = cause as Error;
    const problem = isUnasked(error)
      ? `no name server could be asked (${codeOf(error)})`
      : sentenceOf(error, 'dns');
    const message = `${hostname} could not be resolved: ${problem}`;
    throw isUnasked(error)
      ? new OperatorError('dns', problem, message)
      : new StageError('dns', message, codeOf(error));
  });
  const [first, ...others] = addresses.filter(({ address }) => policy.allows(address));
  if (first === undefined) throw refusal(hostname);
  return [first, ...others];
}

async function resolve(hostname: string, resolver: dns.Resolver): Promise<LookupAddress[]> {
  // RFC 6761, section 6.3.
  if (/(^|\.)localhost\.?$/i.test(hostname)) {
    return [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ];
  }
  // A name without a dot is one of the operator's own network, which only the system knows.
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
  const notForLong = ipv4.then(
    () => delay(RESOLUTION_DELAY_MS, []),
    () => ipv6,
  );
  const [four, six] = await Promise.allSettled([ipv4, Promise.race([ipv6, notForLong])]);
  if (four.status === 'rejected' && six.status === 'rejected') {
    const [first, second] = [four.reason, six.reason] as [Error, Error];
    // Only one of the two may have failed for want of a socket.
    throw isUnasked(second) || isLocalLimit(second) ? second : first;
  }
  return [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
}

/**
 * c-ares got no socket, or the operator's name servers refuse connections. ETIMEOUT and ESERVFAIL are
 * not among these: the name servers of the receiver's own domain cause them as well.
 */
const isUnasked = (error: Error): boolean => codeOf(error) === 'ECONNREFUSED';

const refusal = (host: string) => new StageError('dns', `${host} is not a public address`);

const failureOf = (stage: Stage, error: Error): StageError =>
  new StageError(stage, sentenceOf(error, stage), codeOf(error));
