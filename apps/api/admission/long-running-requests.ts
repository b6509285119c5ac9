import type { FastifyRequest } from 'fastify';
import { operationOf } from '../operations/response-headers.js';

const FILTERS = ['search', 'category', 'tags', 'createdBy', 'updatedBy', 'moduleId', 'published'];
// `query` is the text of a search. `force` is a parameter of deletions.
const LONG_PARAMETERS = [...FILTERS, 'query', 'force'];

/**
 * Whether a request may take a long time and must therefore not use the slots that are reserved for short requests. A
 * batch of 16 MiB takes PostgreSQL a second. A filtered list may scan 5,000 rows for each page, which takes about 10
 * ms. Changing a tag may change 2,000 documents. Deleting a workspace takes as long as deleting its contents.
 */
export function isLongRunning(request: FastifyRequest): boolean {
  const { isBatch, mayTakeLong } = operationOf(request) ?? {};
  if (isBatch || mayTakeLong) return true;
  const query = request.query as Record<string, unknown>;
  if (LONG_PARAMETERS.some((name) => name in query)) return true;
  // When sorting by `updatedAt`, PostgreSQL starts its index scan at `updatedSince`. With other sort orders,
  // `updatedSince` is a filter.
  return 'updatedSince' in query && 'sort' in query && !/^-?updatedAt$/.test(String(query['sort']));
}
