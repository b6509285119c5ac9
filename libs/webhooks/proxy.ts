import { once } from 'node:events';
import { connect } from 'node:net';
import { Pool, ProxyAgent, type buildConnector } from 'undici';
import { isLocalLimit, OperatorError, sentenceOf } from './attempt-errors.js';
import { CONNECT_TIMEOUT_MS } from './connector.js';

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };
// A readiness check has 3 s.
const PROBE_TIMEOUT_MS = 2_000;

/** Sends requests through the operator's proxy. Failed connections to it are `OperatorError`s. */
export function proxyAgent(uri: string, limits: Pool.Options): ProxyAgent {
  const isProxy = (origin: string | URL) => new URL(origin).href === new URL(uri).href;
  return new ProxyAgent({
    ...limits,
    uri,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // For tunnels, and for requests that the proxy forwards.
    clientFactory: (origin, options) => new Pool(origin, blamingProxy(options)),
    factory: (origin, options) =>
      new Pool(origin, isProxy(origin) ? blamingProxy(options) : options),
  });
}

/** @returns what is wrong with the proxy, without its address and credentials. */
export async function problemOfProxy(uri: string): Promise<string | undefined> {
  const { hostname, port, protocol } = new URL(uri);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || DEFAULT_PORTS[protocol]),
  });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    return undefined;
  } catch {
    return 'The proxy of WEBHOOK_PROXY_URL cannot be reached.';
  } finally {
    socket.on('error', () => undefined).destroy();
  }
}

function blamingProxy(given: object): Pool.Options {
  const options = given as Pool.Options & { connect: buildConnector.connector };
  return {
    ...options,
    connect: (target: buildConnector.Options, callback: buildConnector.Callback) =>
      options.connect(target, (...result) => {
        const [error] = result;
        if (error === null || isLocalLimit(error)) callback(...result);
        else callback(unreachable(error), null);
      }),
  };
}

const unreachable = (error: Error) =>
  new OperatorError(
    'connect',
    `the operator's proxy cannot be reached: ${sentenceOf(error, 'connect')}`,
  );
