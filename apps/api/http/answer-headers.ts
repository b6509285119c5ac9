import { entityTag } from '#errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { deprecationHeaders } from './deprecation.js';
import type { Operation } from './operation.js';

/** `Location` and `ETag` of what a route answers, as its operation promises them. */
export function headersOf({ tagged, location }: Operation, answer: object): Record<string, string> {
  return {
    ...(tagged && { etag: entityTag(answer as { updatedAt: Date }) }),
    ...(location && { location: location(answer as never) }),
  };
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** What has an entity tag may be kept by who asks whether it still holds. The rest may hold secrets. */
const cacheControlOf = ({ tagged }: Operation, method: string): string =>
  tagged && isRead(method) ? 'private, no-cache' : 'no-store';

export const operationOf = ({ routeOptions }: FastifyRequest): Operation | undefined =>
  (routeOptions.config as { operation?: Operation }).operation;

/** Adds the headers to all that routes answer, and leaves the answer out for who has that state already. */
export function addAnswerHeaders(fastify: FastifyInstance): void {
  // So early that errors carry them as well.
  fastify.addHook('onRequest', (request, reply, done) => {
    const operation = operationOf(request);
    if (operation) void reply.header('cache-control', cacheControlOf(operation, request.method));
    if (operation?.deprecated) void reply.headers(deprecationHeaders(operation.deprecated));
    done();
  });
  fastify.addHook('preSerialization', (request, reply, answer, done) => {
    const operation = operationOf(request);
    if (operation === undefined || reply.statusCode >= 300 || typeof answer !== 'object') {
      done(null, answer);
      return;
    }
    const headers = headersOf(operation, answer as object);
    void reply.headers(headers);
    const isKnown =
      isRead(request.method) && names(request.headers['if-none-match'], headers['etag']);
    if (isKnown) void reply.status(304);
    done(null, isKnown ? undefined : answer);
  });
}

/** RFC 9110, section 13.1.2, has tags compared weakly here. */
const names = (header: string | undefined, tag: string | undefined): boolean =>
  tag !== undefined &&
  (header?.split(',').some((each) => ['*', tag, `W/${tag}`].includes(each.trim())) ?? false);
