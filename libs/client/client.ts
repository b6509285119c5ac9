import { toGalleyError } from './error.js';
import {
  createClient as createGeneratedClient,
  createConfig,
  type Client,
  type Config,
} from './generated/client/index.js';
import { withRetries } from './retries.js';

export interface ClientConfig extends Config {
  /** How long one attempt may take, including the body of the response. Default: 30 seconds. */
  timeoutMs?: number;
  /** How many retries may follow the first attempt. Default: 3; 0 turns retries off. */
  maxRetries?: number;
}

/** Creates a client for one installation of Galley and one caller. Pass the client to every function as `client`. */
export function createClient(config: ClientConfig = {}): Client {
  const { timeoutMs = 30_000, maxRetries = 3, fetch: send, ...rest } = config;
  const client = createGeneratedClient(
    createConfig({
      throwOnError: true,
      ...rest,
      fetch: withRetries(
        send ?? ((request, init) => globalThis.fetch(request, init)),
        timeoutMs,
        maxRetries,
      ),
    }),
  );
  client.interceptors.error.use(toGalleyError);
  return client;
}
