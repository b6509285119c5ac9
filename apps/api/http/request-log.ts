import type { LoggerService } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CallerRequest } from './caller.js';
import { findFailure } from './error.filter.js';
import { isId } from '../validation/fields.js';

const NUMBER = /^\d{1,9}$/;

/**
 * Logs one line for each response. If the status is 5xx, the line includes the error. Health checks are logged only if
 * their status is 500. A failed readiness check has the status 503, and `Readiness` itself logs why the program is not
 * ready.
 */
export function logRequests(fastify: FastifyInstance, logger: LoggerService): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const path = loggablePathOf(request);
    const { statusCode } = reply;
    if (!path.startsWith('/health/') || statusCode === 500) {
      const { id: requestId, method } = request;
      const userId = (request as CallerRequest).user?.userId;
      const durationMs = Math.round(reply.elapsedTime);
      const fields = { requestId, method, path, userId, statusCode, durationMs };
      const error = findFailure(request);
      if (error === undefined) logger.log(fields);
      else logger.error({ ...fields, err: error });
    }
    done();
  });
}

/**
 * Returns the route of a request, and fills in the path parameters that are ids or numbers. Other values may be secrets
 * that the client has put in the wrong place.
 */
function loggablePathOf({ routeOptions, params }: FastifyRequest): string {
  const values = params as Record<string, string>;
  const route = routeOptions.url ?? 'unknown route';
  return route.replace(/:(\w+)/g, (placeholder, name: string) => {
    const value = values[name] ?? '';
    return isId(value) || NUMBER.test(value) ? value : placeholder;
  });
}
