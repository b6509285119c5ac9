import { entityTag } from '#errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { deprecationHeaders } from './deprecation.js';
import type { OperationOptions } from './operation.js';

/** The `Location` and `ETag` headers of a response, as the route's operation declares them. */
export function resourceHeadersOf(
  { etag, location }: OperationOptions,
  resource: object,
): Record<string, string> {
  return {
    ...(etag && { etag: entityTag(resource as { updatedAt: Date }) }),
    ...(location && { location: location(resource as never) }),
  };
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Responses with an ETag may be cached and must be revalidated. Other responses may hold secrets. */
const cacheControlOf = ({ etag }: OperationOptions, method: string): string =>
  etag && isRead(method) ? 'private, no-cache' : 'no-store';

export const operationOf = ({ routeOptions }: FastifyRequest): OperationOptions | undefined =>
  (routeOptions.config as { operation?: OperationOptions }).operation;

/**
 * Adds the headers to all responses, and omits the body for clients that already have the current state.
 */
export function addResponseHeaders(fastify: FastifyInstance): void {
  // In onRequest, so that error responses have the headers as well.
  fastify.addHook('onRequest', (request, reply, done) => {
    const operation = operationOf(request);
    if (operation) void reply.header('cache-control', cacheControlOf(operation, request.method));
    if (operation?.deprecated) void reply.headers(deprecationHeaders(operation.deprecated));
    done();
  });
  fastify.addHook('preSerialization', (request, reply, payload, done) => {
    const operation = operationOf(request);
    if (operation === undefined || reply.statusCode >= 300 || typeof payload !== 'object') {
      done(null, payload);
      return;
    }
    const headers = resourceHeadersOf(operation, payload as object);
    void reply.headers(headers);
    const isNotModified =
      isRead(request.method) && matchesEtag(request.headers['if-none-match'], headers['etag']);
    if (isNotModified) void reply.status(304);
    done(null, isNotModified ? undefined : payload);
  });
}

/** `If-None-Match` compares tags weakly (RFC 9110, section 13.1.2). */
const matchesEtag = (header: string | undefined, etag: string | undefined): boolean =>
  etag !== undefined &&
  (header?.split(',').some((candidate) => ['*', etag, `W/${etag}`].includes(candidate.trim())) ??
    false);
