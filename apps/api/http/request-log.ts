import type { LoggerService } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

/** One line for each request when it is answered, but for health checks, which never end. */
export function logRequests(fastify: FastifyInstance, logger: LoggerService): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    // A query may say what somebody has searched for.
    const path = request.url.replace(/\?.*/, '');
    if (!path.startsWith('/health/')) {
      const { id: requestId, method } = request;
      const durationMs = Math.round(reply.elapsedTime);
      logger.log({ requestId, method, path, statusCode: reply.statusCode, durationMs });
    }
    done();
  });
}
