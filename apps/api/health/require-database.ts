import type { CompleteDatabase } from '#database';
import { DomainError } from '#errors';
import type { FastifyInstance } from 'fastify';

/**
 * Refuses requests to the API until the database is complete. Otherwise, some requests would fail as if Galley had a
 * defect, and some would change a database whose restore has not finished. Health checks and pages are not refused.
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
