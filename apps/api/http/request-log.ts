import type { LoggerService } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isId } from './fields.js';

const NUMBER = /^\d{1,9}$/;

/** Logs one line for each response. Health checks never end, and get none. */
export function logRequests(fastify: FastifyInstance, logger: LoggerService): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const path = pathOf(request);
    if (!path.startsWith('/health/')) {
      const { id: requestId, method } = request;
      const durationMs = Math.round(reply.elapsedTime);
      logger.log({ requestId, method, path, statusCode: reply.statusCode, durationMs });
    }
    done();
  });
}

/**
 * The path of the route, with its ids and numbers. Anything else in a path comes from the client, and
 * may be a secret that was put in the wrong place.
 */
function pathOf({ routeOptions, params }: FastifyRequest): string {
  const values = params as Record<string, string>;
  const route = routeOptions.url ?? 'unknown route';
  return route.replace(/:(\w+)/g, (whole, name: string) => {
    const value = values[name] ?? '';
    return isId(value) || NUMBER.test(value) ? value : whole;
  });
}
