import { DomainError } from './domain-error.js';

/**
 * Requests may contain read-only fields with their current values, because clients send back resources as they have
 * read them.
 *
 * @throws DomainError `invalid` if a read-only field has another value.
 */
export function rejectReadOnlyChanges<Fields extends object>(
  input: { [Field in keyof Fields]?: unknown },
  current: Fields,
): void {
  for (const [path, value] of Object.entries(current)) {
    const requested = input[path as keyof Fields];
    if (requested !== undefined && !isSameValue(requested, value)) {
      throw DomainError.invalid(
        path,
        `${path} cannot be changed; leave it out, or send it back as you read it`,
      );
    }
  }
}

/** Clients format times in their own way, for example without milliseconds or with an offset. */
const isSameValue = (requested: unknown, current: unknown): boolean =>
  current instanceof Date
    ? Date.parse(String(requested)) === current.getTime()
    : requested === current;
