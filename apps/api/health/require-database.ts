import type { CompleteDatabase } from '#database';
import { DomainError } from '#errors';
import type { FastifyInstance } from 'fastify';

/**
 * Refuses all requests but the health checks and pages until the database is complete: some of them would fail as if
 * Galley had a defect, and some would change a database whose restore has not finished.
 */
export function requireCompleteDatabase(
  fastify: FastifyInstance,
  database: CompleteDatabase,
): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const isRefused = !database.isComplete && request.routeOptions.url?.startsWith('/api/');
    done(isRefused ? DomainError.unavailable(NOT_COMPLETE) : undefined);
  });
}

const NOT_COMPLETE =
  'The database is not ready for requests yet; nothing was changed. Retry in a moment.';
