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
    if (wanted !== undefined && !isSame(wanted, value)) {
      throw DomainError.invalid(path, `${path} cannot be changed; leave it out or as it was read`);
    }
  }
}

/** Clients write a time in their own way: without milliseconds, or with an offset. */
const isSame = (wanted: unknown, actual: unknown): boolean =>
  actual instanceof Date ? Date.parse(String(wanted)) === actual.getTime() : wanted === actual;
