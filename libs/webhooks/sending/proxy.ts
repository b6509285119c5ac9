import { once } from 'node:events';
import { connect } from 'node:net';
import { Pool, ProxyAgent, type buildConnector } from 'undici';
import { isLocalLimit, OperatorError, describeError } from './attempt-errors.js';
import { CONNECT_TIMEOUT_MS } from './guarded-connector.js';

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };
// This timeout is shorter than the 3 s that a readiness check may take.
const PROBE_TIMEOUT_MS = 2_000;

/**
 * Creates an agent that sends requests through the operator's proxy. If the connection to the proxy fails, the error is
 * an `OperatorError`.
 */
export function createProxyAgent(uri: string, poolOptions: Pool.Options): ProxyAgent {
  const isProxy = (origin: string | URL) => new URL(origin).href === new URL(uri).href;
  return new ProxyAgent({
    ...poolOptions,
    uri,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // undici calls `clientFactory` for connections to the proxy over which it opens tunnels. It calls `factory` with the
    // origin of the proxy for requests that the proxy forwards, and with the origin of the receiver for requests through
    // a tunnel. Only failures to connect to the proxy become an `OperatorError`.
    clientFactory: (origin, options) => new Pool(origin, withProxyErrors(options)),
    factory: (origin, options) =>
      new Pool(origin, isProxy(origin) ? withProxyErrors(options) : options),
  });
}

/** @returns what is wrong with the proxy, without its URL and credentials; undefined if it accepts a connection. */
export async function findProxyProblem(uri: string): Promise<string | undefined> {
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

function withProxyErrors(poolOptions: object): Pool.Options {
  const options = poolOptions as Pool.Options & { connect: buildConnector.connector };
  return {
    ...options,
    connect: (target: buildConnector.Options, callback: buildConnector.Callback) =>
      options.connect(target, (...result) => {
        const [error] = result;
        if (error === null || isLocalLimit(error)) callback(...result);
        else callback(proxyUnreachableError(error), null);
      }),
  };
}

const proxyUnreachableError = (error: Error) =>
  new OperatorError(
    'connect',
    `the operator's proxy cannot be reached: ${describeError(error, 'connect')}`,
  );
