import type { FastifyRequest } from 'fastify';
import { operationOf } from '../operations/response-headers.js';

const FILTERS = ['search', 'category', 'tags', 'createdBy', 'updatedBy', 'moduleId', 'published'];
// `query` is the parameter of the search.
const LONG_PARAMETERS = [...FILTERS, 'query', 'force'];

/**
 * Whether a request may take long, so that it may not use the reserved connections. A batch of 16 MiB takes
 * PostgreSQL a second. A list with filters may scan 5,000 rows for each page, which takes some 10 ms. A change
 * of a tag may change 2,000 documents. Deleting a workspace takes as long as deleting its contents.
 */
export function isLongRunning(request: FastifyRequest): boolean {
  const { isBatch, mayTakeLong } = operationOf(request) ?? {};
  if (isBatch || mayTakeLong) return true;
  const query = request.query as Record<string, unknown>;
  if (LONG_PARAMETERS.some((name) => name in query)) return true;
  // In the order of `updatedAt`, PostgreSQL starts to read the index at `updatedSince`. In other orders,
  // `updatedSince` is a filter.
  return 'updatedSince' in query && 'sort' in query && !/^-?updatedAt$/.test(String(query['sort']));
}
