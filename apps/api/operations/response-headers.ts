import { createHash } from 'node:crypto';
import type { JsonText } from '#json';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { withEncoding, entityTag } from '#errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { prefersToJson } from './accept.js';
import { deprecationHeaders } from './deprecation.js';
import type { OperationOptions } from './operation.js';
import { REQUEST_ID } from '../http/connections.js';
import { SECURITY_HEADERS } from '../http/security-headers.js';

const creations = new WeakSet<FastifyRequest>();

/**
 * Injects a function. The handler of an operation with `mayCreate` calls the function if the request has created the
 * resource.
 */
export const MarkCreated = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return () => void creations.add(request);
});

/** The `Location` and `ETag` headers of a response, as the route's operation declares them. */
export function resourceHeadersOf(
  { etag, location: locationOf, mayCreate }: OperationOptions,
  resource: object,
  isCreated = false,
): Record<string, string> {
  const location = mayCreate && !isCreated ? undefined : locationOf;
  return {
    ...(etag === true && { etag: entityTag(stateOf(resource), digestOf(resource)) }),
    ...(typeof etag === 'function' && { etag: etag(resource as never) }),
    ...(location && { location: location(resource as never) }),
  };
}

/** The time that identifies the state of a resource. A published template changes only when it is published again. */
const stateOf = (resource: object): { updatedAt: Date } =>
  'publishedAt' in resource
    ? { updatedAt: resource.publishedAt as Date }
    : (resource as { updatedAt: Date });

/** An expanded document also changes when one of its modules changes, so its ETag contains a digest of the content. */
function digestOf(resource: { content?: JsonText; warnings?: unknown }): string | undefined {
  const { content, warnings } = resource;
  if (content === undefined || warnings === undefined) return undefined;
  const hash = createHash('sha256').update(content.source).update(JSON.stringify(warnings));
  return hash.digest('hex').slice(0, DIGEST_LENGTH);
}
// 16 hexadecimal digits are 64 bits.
const DIGEST_LENGTH = 16;

export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * Responses with an ETag may be cached and must be revalidated. Other responses may hold secrets, and must not be
 * cached.
 */
const cacheControlOf = ({ etag }: OperationOptions, method: string): string =>
  etag && isRead(method) ? 'private, no-cache' : 'no-store';

export const operationOf = ({ routeOptions }: FastifyRequest): OperationOptions | undefined =>
  (routeOptions.config as { operation?: OperationOptions }).operation;

/** Whether the caller prefers the alternative body of the route's operation, if there is one. */
const wantsAlternative = (request: FastifyRequest): boolean => {
  const mediaType = operationOf(request)?.alternative?.mediaType;
  return mediaType !== undefined && prefersToJson(request.headers.accept, mediaType);
};

/** Injects `true` if the handler must return the alternative body of its operation. */
export const WantsAlternative = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  wantsAlternative(context.switchToHttp().getRequest<FastifyRequest>()),
);

/**
 * Adds the headers that all responses have, and the headers that the route's operation declares. Responds with 304 and
 * no body to clients that already have the current state.
 */
export function addResponseHeaders(fastify: FastifyInstance): void {
  // Runs in onRequest, so that error responses have the headers, too.
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(SECURITY_HEADERS).header(REQUEST_ID, request.id);
    const operation = operationOf(request);
    if (operation) void reply.header('cache-control', cacheControlOf(operation, request.method));
    if (operation?.deprecated) void reply.headers(deprecationHeaders(operation.deprecated));
    // The CORS headers depend on the origin (`http/cors.ts`).
    void reply.header('vary', operation?.alternative ? 'Accept, Origin' : 'Origin');
    done();
  });
  fastify.addHook('preSerialization', (request, reply, payload, done) => {
    const operation = operationOf(request);
    if (operation === undefined || reply.statusCode >= 300 || typeof payload !== 'object') {
      done(null, payload);
      return;
    }
    const isCreated = creations.has(request);
    const headers = resourceHeadersOf(operation, payload as object, isCreated);
    void reply.headers(headers);
    if (isCreated) void reply.status(201);
    if (operation.alternative && wantsAlternative(request)) {
      void reply.type(operation.alternative.mediaType);
    }
    const knownTag = isRead(request.method) ? knownTagOf(request, headers['etag']) : undefined;
    if (knownTag === undefined) {
      done(null, payload);
      return;
    }
    void reply.status(304).header('etag', knownTag);
    if (knownTag !== headers['etag']) addVary(reply, 'Accept-Encoding');
    // Fastify would ignore `undefined`, and serialise the document.
    done(null, null);
  });
  // This must be the first `onSend` hook, so that the other hooks find no body. As a result, a 304 has no
  // Content-Length either.
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    done(null, reply.statusCode === 304 ? null : payload);
  });
}

/**
 * Returns the tag in `If-None-Match` that matches the current state, compressed or not. Returns undefined if none
 * matches.
 */
const knownTagOf = ({ headers }: FastifyRequest, etag: string | undefined): string | undefined =>
  etag === undefined
    ? undefined
    : [etag, withEncoding(etag)].find((tag) => matchesEtag(headers['if-none-match'], tag));

export function addVary(reply: FastifyReply, header: string): void {
  const vary = reply.getHeader('vary');
  const headers = vary ? String(vary).split(', ') : [];
  if (!headers.includes(header)) void reply.header('vary', [...headers, header].join(', '));
}

/** `If-None-Match` compares tags weakly (RFC 9110, section 13.1.2). */
export const matchesEtag = (header: string | undefined, etag: string | undefined): boolean =>
  etag !== undefined &&
  (header?.split(',').some((candidate) => ['*', etag, `W/${etag}`].includes(candidate.trim())) ??
    false);
