import type { FastifyInstance } from 'fastify';
import { refuseUnsupportedPreconditions } from '../operations/if-match.js';
import { rejectBeforeBody } from '../http/reject-before-body.js';
import { operationOf } from '../operations/response-headers.js';
import type { RequestLimits } from './request-limits.js';
import type { TokenCheck } from './token-check.js';

/**
 * Counts requests and authenticates callers before bodies are read: an unauthenticated caller must not make the API
 * read and parse a body. A request waits here only for Redis, or for the verification of a token or API key that is not
 * cached.
 */
export function admitCallers(
  fastify: FastifyInstance,
  requestLimits: RequestLimits,
  tokenCheck: TokenCheck,
): void {
  requireOperations(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    continueAfter(requestLimits.countRequest(request, reply), done);
  });
  rejectBeforeBody(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    continueAfter(operationOf(request) && tokenCheck.check(request, reply), done);
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    refuseUnsupportedPreconditions(request);
    done();
  });
}

/**
 * Refuses to register an API route that has no operation, because such a route would be open to everybody. Pages need
 * no token and have no operation.
 */
function requireOperations(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', ({ url, config }) => {
    if (!url.startsWith('/api/') || (config !== undefined && 'operation' in config)) return;
    throw new Error(`The route ${url} has no @Operation.`);
  });
}

function continueAfter(step: unknown, done: (error?: Error) => void): void {
  if (step instanceof Promise) step.then(() => done(), done);
  else done();
}
