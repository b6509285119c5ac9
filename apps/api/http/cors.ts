import cors, { type FastifyCorsOptions } from '@fastify/cors';
import { DomainError, errorCodes } from '#errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendError } from './error.filter.js';

// The longest time for which a browser caches a preflight: 24 hours in Firefox (two hours in Chromium).
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
/** All headers that the OpenAPI document describes, except for headers that CORS lets every page read. */
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
 * Lets pages of the allowed origins read the responses (CORS). Pages send their token in a header that they
 * set themselves. So no response allows credentials, and browsers send no cookies for a page.
 *
 * Preflights end here. They carry no token and cost nothing. They are not counted, because a page cannot read
 * the status of a refused preflight, and so would never learn that it has to wait.
 */
export async function allowOrigins(fastify: FastifyInstance, origins: string[]): Promise<void> {
  const preflight: FastifyCorsOptions = {
    origin: origins,
    methods: METHODS,
    allowedHeaders: REQUEST_HEADERS,
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
  };
  const response = { origin: origins, exposedHeaders: RESPONSE_HEADERS, preflight: false };
  // The library adds a route for OPTIONS. No other route supports the method, so all requests with OPTIONS
  // except preflights get 404.
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'OPTIONS' || isPreflight(request)) done();
    else sendError(new DomainError('not_found', errorCodes.not_found.message), request, reply);
  });
  await fastify.register(cors, {
    delegator: (
      request: FastifyRequest,
      done: (error: null, options: FastifyCorsOptions) => void,
    ) => {
      // The preflight of an origin that is not allowed gets the same response, but without
      // `Access-Control-Allow-Origin`. Browsers then report in their console that this header is missing.
      if (isPreflight(request)) done(null, preflight);
      else done(null, isAllowed(request) ? response : { origin: false });
    },
  });

  function isAllowed({ headers: { origin } }: FastifyRequest): boolean {
    return origin !== undefined && origins.includes(origin);
  }
}

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;
