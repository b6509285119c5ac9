import { DomainError } from './domain-error.js';

/**
 * A resource that was read can be put back as it was read, so its read-only fields may be named,
 * with the values that they have.
 * @throws DomainError `invalid` when one of them has another value.
 */
export function refuseChanges<Fields extends object>(
  given: { [Field in keyof Fields]?: unknown },
  current: Fields,
): void {
  for (const [path, value] of Object.entries(current)) {
    const wanted = given[path as keyof Fields];
    const actual: unknown = value instanceof Date ? value.toISOString() : value;
    if (wanted !== undefined && wanted !== actual) {
      throw DomainError.invalid(path, `${path} cannot be changed; leave it out or as it was read`);
    }
  }
}
