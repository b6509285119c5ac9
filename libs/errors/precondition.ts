import { DomainError, MAX_DETAILS, type ErrorDetail } from './domain-error.js';
import { errorCodes } from './error-codes.js';

/** The entity tags of which one has to be that of the resource; undefined when any state will do. */
export type Precondition = readonly string[] | undefined;

/**
 * The entity tag of a resource's state (RFC 9110, section 8.8.3). No two states of one have the same
 * time: see `touched`.
 */
export const entityTag = ({ updatedAt }: { updatedAt: Date }): string =>
  `"${updatedAt.getTime().toString(36)}"`;

const ENTITY_TAG = /^"[1-9a-z][\da-z]{0,8}"$/;

/** When the states of these tags began, of those that can be one of ours; null when any state will do. */
export const timesOf = (given: Precondition): Date[] | null =>
  given?.filter((tag) => ENTITY_TAG.test(tag)).map((tag) => new Date(parseInt(tag.slice(1), 36))) ??
  null;

interface Operation {
  action: string;
  /** Of what must be there; what is created has none yet. */
  id?: string;
  ifMatch?: string;
}

/**
 * What the operations of a batch are about must be there, as it was seen.
 * @returns what finds a resource by its id.
 * @throws DomainError `not_found` or `stale`, and `details` name the operations.
 */
export function requireStates<Resource extends { id: string; updatedAt: Date }>(
  operations: readonly Operation[],
  resources: readonly Resource[],
  what: string,
): (id: string) => Resource {
  const byId = new Map(resources.map((resource) => [resource.id, resource]));
  const missing: ErrorDetail[] = [];
  const stale: ErrorDetail[] = [];
  for (const [at, { id, ifMatch }] of operations.entries()) {
    if (id === undefined) continue;
    const resource = byId.get(id);
    const tag = resource && entityTag(resource);
    if (tag === undefined) {
      missing.push(missingAt(`operations.${at}`));
    } else if (ifMatch !== undefined && ifMatch !== tag) {
      const path = `operations.${at}.ifMatch`;
      stale.push({ path, message: `${path} is of an earlier state; the ETag is ${tag} now` });
    }
  }
  if (missing.length > 0) throw DomainError.notFound(what, missing.slice(0, MAX_DETAILS));
  if (stale.length > 0) {
    throw new DomainError('stale', errorCodes.stale.message, stale.slice(0, MAX_DETAILS));
  }
  return (id) => {
    const resource = byId.get(id);
    if (resource === undefined) throw new Error(`A ${what} vanished while it was locked.`);
    return resource;
  };
}

/** Also of what is in another workspace: whether it exists there is not to be told. */
export const missingAt = (operation: string): ErrorDetail => ({
  path: `${operation}.id`,
  message: `${operation}.id does not exist in this workspace`,
});
