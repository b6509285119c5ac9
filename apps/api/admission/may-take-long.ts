import type { FastifyRequest } from 'fastify';
import { operationOf } from '../http/answer-headers.js';

/**
 * Whether a request may take long, so that the reserved connections are not for it. A batch of 16 MiB takes
 * PostgreSQL a second. The filters of a list may read all 40,000 rows of it, which takes 100 ms: no index has
 * names or categories by substring or time of change. A workspace that is deleted with all that it holds
 * takes as long as that takes.
 */
export function mayTakeLong(request: FastifyRequest): boolean {
  if (operationOf(request)?.isBatch) return true;
  const query = request.query as Record<string, unknown>;
  if ('search' in query || 'category' in query || 'force' in query) return true;
  // The index of changes begins or ends at that time; the others are read through.
  return 'updatedSince' in query && 'sort' in query && !/^-?updatedAt$/.test(String(query['sort']));
}
