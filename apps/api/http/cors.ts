import cors from '@fastify/cors';
import { DomainError, errorCodes } from '#errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendError } from './error.filter.js';

// Firefox caches a preflight for at most 24 hours, and Chromium for at most two hours.
const PREFLIGHT_MAX_AGE_SECONDS = 24 * 60 * 60;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-Request-Id',
];
/** All response headers in the OpenAPI document, except for CORS-safelisted headers, which every page can read. */
const RESPONSE_HEADERS = [
  'Deprecation',
  'ETag',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
];

/**
 * Lets web pages from the allowed origins read responses (CORS). Pages set the `Authorization` header themselves.
 * Responses therefore do not allow credentials, and browsers send no cookies.
 *
 * Preflights are handled here. They carry no token and cost next to nothing. They do not count towards the rate limits,
 * because a page cannot read the status of a refused preflight and would not learn that it must wait.
 */
export async function allowOrigins(fastify: FastifyInstance, origins: string[]): Promise<void> {
  if (origins.length > 0) exposeResponses(fastify, origins);
  // In a separate Fastify context, the library's hooks run only for the library's own route, which handles OPTIONS. No
  // other route supports this method, so all OPTIONS requests except preflights get 404.
  await fastify.register(async (preflights) => {
    preflights.addHook('onRequest', (request, reply, done) => {
      if (isPreflight(request)) done();
      else sendError(new DomainError('not_found', errorCodes.not_found.message), request, reply);
    });
    // The preflight of an origin that is not allowed gets the response that an allowed origin would get, but without
    // `Access-Control-Allow-Origin`. Browsers then report in their console that this header is missing.
    await preflights.register(cors, {
      origin: origins,
      methods: METHODS,
      allowedHeaders: REQUEST_HEADERS,
      maxAge: PREFLIGHT_MAX_AGE_SECONDS,
    });
  });
}

/** Does not set `Vary: Origin`, because all responses have it already. */
function exposeResponses(fastify: FastifyInstance, origins: readonly string[]): void {
  const exposedHeaders = RESPONSE_HEADERS.join(', ');
  fastify.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (origin !== undefined && origins.includes(origin) && request.method !== 'OPTIONS') {
      void reply.headers({
        'access-control-allow-origin': origin,
        'access-control-expose-headers': exposedHeaders,
      });
    }
    done();
  });
}

const isPreflight = ({ headers }: FastifyRequest): boolean =>
  headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
