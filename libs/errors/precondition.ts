import { DomainError } from './domain-error.js';

/** The entity tags of which one has to be that of the resource; undefined when any state will do. */
export type Precondition = readonly string[] | undefined;

/**
 * The entity tag of a resource's state (RFC 9110, section 8.8.3). No two states of one have the same
 * time: see `touched`.
 */
export const entityTag = ({ updatedAt }: { updatedAt: Date }): string =>
  `"${updatedAt.getTime().toString(36)}"`;

/** @throws DomainError `stale` when the caller has seen another state of the resource than this. */
export function requireState(given: Precondition, resource: { updatedAt: Date }): void {
  const current = entityTag(resource);
  if (given && !given.includes(current)) throw DomainError.stale(current);
}
