import { createHash } from 'node:crypto';
import { DomainError, MAX_DETAILS, type ErrorDetail } from './domain-error.js';
import { errorCodes } from './error-codes.js';

/** The resource must have one of these entity tags; undefined if any state will do. */
export type Precondition = readonly string[] | undefined;

/**
 * The entity tag of a resource's state (RFC 9110, section 8.8.3). No two states of a resource have the same time: see
 * `nextUpdatedAt`. If a response shows the role of the caller, the tag contains the role. Otherwise, a client that
 * revalidates its copy would keep showing the old role after a change of role.
 * @param digest distinguishes representations of the same state. For example, a document with expanded modules also
 * changes when one of these modules changes.
 */
export const entityTag = (
  { updatedAt, role }: { updatedAt: Date; role?: string },
  digest?: string,
): string =>
  `"${[updatedAt.getTime().toString(36), role, digest].filter((part) => part !== undefined).join('-')}"`;

/** The entity tag of a resource that has no `updatedAt`. The tag depends only on the content. */
export const contentTag = (content: unknown): string =>
  `"${createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, CONTENT_TAG_LENGTH)}"`;

// 16 hexadecimal digits are 64 bits of the hash.
const CONTENT_TAG_LENGTH = 16;

/** The tag of the compressed response (RFC 9110, section 8.8.3.3). */
export const withEncoding = (tag: string): string => tag.replace(/"$/, '-gzip"');

/** The inverse of `withEncoding`. Leaves the tag of an uncompressed response unchanged. */
export const stripEncoding = (tag: string): string => tag.replace(/-gzip"$/, '"');

/** @throws DomainError `stale` if the caller has not seen the current state. */
export function requireMatchingTag(precondition: Precondition, currentTag: string): void {
  if (precondition && !precondition.includes(currentTag)) throw DomainError.stale(currentTag);
}

const ENTITY_TAG_PATTERN = /^"[1-9a-z][\da-z]{0,8}(?:-[\da-f]{16})?"$/;

const DIGEST_PATTERN = /-[\da-f]{16}"$/;

/**
 * The values of `updated_at` in these entity tags. Skips tags that Galley cannot have issued. Returns null if any state
 * will do.
 */
export const parsePrecondition = (precondition: Precondition): Date[] | null =>
  precondition
    ?.filter((tag) => ENTITY_TAG_PATTERN.test(tag))
    .map((tag) => new Date(parseInt(tag.slice(1), 36))) ?? null;

interface BatchOperation {
  action: string;
  /** The id of an existing resource; a new resource has none yet. */
  id?: string;
  ifMatch?: string;
}

/**
 * Checks that the resources of a batch exist, and that each is in the state that the caller has seen.
 *
 * @returns a function that finds a resource by its id.
 * @throws DomainError `not_found` or `stale`, whose `details` name the operations that failed.
 */
export function requireMatchingTargets<Resource extends { id: string; updatedAt: Date }>(
  operations: readonly BatchOperation[],
  resources: readonly Resource[],
  resourceName: string,
): (id: string) => Resource {
  const byId = new Map(resources.map((resource) => [resource.id, resource]));
  const missing: ErrorDetail[] = [];
  const stale: ErrorDetail[] = [];
  for (const [index, { id, ifMatch }] of operations.entries()) {
    if (id === undefined) continue;
    const resource = byId.get(id);
    const currentTag = resource && entityTag(resource);
    if (currentTag === undefined) {
      missing.push(missingDetail(`operations.${index}`));
    } else if (
      ifMatch !== undefined &&
      stripEncoding(ifMatch).replace(DIGEST_PATTERN, '"') !== currentTag
    ) {
      const path = `operations.${index}.ifMatch`;
      stale.push({
        path,
        message: `${path} is the ETag of an earlier state; the current ETag is ${currentTag}`,
      });
    }
  }
  if (missing.length > 0) throw DomainError.notFound(resourceName, missing.slice(0, MAX_DETAILS));
  if (stale.length > 0) {
    throw new DomainError('stale', errorCodes.stale.message, stale.slice(0, MAX_DETAILS));
  }
  return (id) => {
    const resource = byId.get(id);
    if (resource === undefined) throw new Error(`A ${resourceName} vanished while it was locked.`);
    return resource;
  };
}

/**
 * The message is the same whether the resource exists in another workspace or nowhere, because the caller must not
 * learn which of the two is true.
 */
export const missingDetail = (operationPath: string): ErrorDetail => ({
  path: `${operationPath}.id`,
  message: `${operationPath}.id does not exist in this workspace`,
});
