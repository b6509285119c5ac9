// A program loads this file first. Then its servers wait 4 instead of 30 seconds for the end of a request.
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

const { createServer } = http;
const impatience = {
  requestTimeout: 4_000,
  headersTimeout: 4_000,
  connectionsCheckingInterval: 400,
};

http.createServer = (options, listener) => {
  const server = createServer({ ...options, ...impatience }, listener);
  // Fastify sets the timeout again afterwards.
  Object.defineProperty(server, 'requestTimeout', {
    get: () => impatience.requestTimeout,
    set() {
      // This setter ignores the value.
    },
  });
  return server;
};
syncBuiltinESMExports();
