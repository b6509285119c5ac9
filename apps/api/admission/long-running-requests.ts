import type { FastifyRequest } from 'fastify';
import { operationOf } from '../http/response-headers.js';

/**
 * Whether a request may take long, so that it may not use the reserved connections. A batch of 16 MiB takes
 * PostgreSQL a second. The filters of a list may scan all its 40,000 rows, which takes 100 ms: no index
 * supports categories, parts of names, or the time of change in other orders. Deleting a workspace takes as
 * long as deleting its contents.
 */
export function isLongRunning(request: FastifyRequest): boolean {
  if (operationOf(request)?.isBatch) return true;
  const query = request.query as Record<string, unknown>;
  if ('search' in query || 'category' in query || 'force' in query) return true;
  // The index by time of change starts at that time; the other indexes are scanned.
  return 'updatedSince' in query && 'sort' in query && !/^-?updatedAt$/.test(String(query['sort']));
}
