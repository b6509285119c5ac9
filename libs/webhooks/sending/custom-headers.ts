import type { Encryption } from '#encryption';
import { DomainError } from '#errors';

export const MAX_HEADERS = 20;
export const MAX_HEADER_VALUE_LENGTH = 1_000;
// Replaces each header value in responses, because the value may be a credential. If a client sends the placeholder
// back, the stored value is kept.
const REDACTED = '********';

// Subscribers cannot set these headers. They route, frame or describe the request (RFC 9110, sections 7 and 8), or
// Galley sets them itself.
const RESERVED_NAMES =
  /^(host|connection|content-.*|transfer-encoding|te|trailer|upgrade|keep-alive|expect|date|via|proxy-.*|forwarded|x-forwarded-.*|cookie|user-agent|webhook-.*|x-service-.*)$/i;
// Header names and values as defined in RFC 9110, sections 5.1 and 5.5, limited to ASCII.
const NAME_PATTERN = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
const VALUE_PATTERN = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;

/** Returns what is wrong with custom headers; undefined if they are valid. */
export function findHeaderProblem(headers: unknown): string | undefined {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
    return 'must be an object of names and values';
  }
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS) return `must have at most ${MAX_HEADERS} headers`;
  const names = new Set(entries.map(([name]) => name.toLowerCase()));
  if (names.size < entries.length) return 'must not contain a header twice';
  for (const [name, value] of entries) {
    if (!NAME_PATTERN.test(name)) {
      const quotedName = JSON.stringify(name.slice(0, 100));
      return `must not contain a header named ${quotedName}: a name may have at most 100 characters, and only characters that HTTP allows`;
    }
    if (RESERVED_NAMES.test(name)) return `must not set ${name}, which is reserved`;
    if (
      typeof value !== 'string' ||
      value.length > MAX_HEADER_VALUE_LENGTH ||
      !VALUE_PATTERN.test(value)
    ) {
      return `must give ${name} a value of 1 to ${MAX_HEADER_VALUE_LENGTH} printable ASCII characters`;
    }
  }
  return undefined;
}

/** Returns null if there are no headers to encrypt. */
export const encryptHeaders = (
  encryption: Encryption,
  headers: Record<string, string>,
  endpointId: string,
): string | null =>
  Object.keys(headers).length === 0
    ? null
    : encryption.encrypt(JSON.stringify(headers), endpointId);

/** @throws the errors of `Encryption.decrypt`. */
export const decryptHeaders = (
  encryption: Encryption,
  encrypted: string | null,
  endpointId: string,
): Record<string, string> =>
  encrypted === null
    ? {}
    : (JSON.parse(encryption.decrypt(encrypted, endpointId)) as Record<string, string>);

/** Redacts the header values for API responses and the attempt log. */
export const redactValues = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, REDACTED]));

/**
 * Requires the client to send the values of all headers, because the URL moves to another origin. A stored value may be
 * a credential that admins cannot read, so an admin must not be able to send the value to another host.
 * @throws DomainError `invalid` if the headers are missing, or if a value is the placeholder.
 */
export function requireAllValues(headers: Record<string, string> | undefined): void {
  if (headers === undefined || Object.values(headers).includes(REDACTED)) {
    throw DomainError.invalid(
      'headers',
      'headers must be sent again with their values if url changes to another origin',
    );
  }
}

/**
 * Replaces each placeholder that the client has sent back with the current value of that header.
 * @throws DomainError `invalid` if a placeholder has no current value.
 */
export function restoreRedactedValues(
  input: Record<string, string>,
  current: Record<string, string>,
): Record<string, string> {
  const currentByName = new Map(
    Object.entries(current).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const restored = value === REDACTED ? currentByName.get(name.toLowerCase()) : value;
      if (restored === undefined) {
        throw DomainError.invalid(
          'headers',
          `headers must give ${name} a value: ${REDACTED} keeps the stored value, but there is none`,
        );
      }
      return [name, restored];
    }),
  );
}
