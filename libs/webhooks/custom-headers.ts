import { DomainError } from '#errors';

export const MAX_HEADERS = 20;
export const MAX_HEADER_VALUE = 1_000;
// What is shown in place of a value, which may be a credential. Put back, it leaves that as it is.
const HIDDEN = '********';

// Names by which requests are routed, framed or signed (RFC 9110, sections 7 and 8), and our own.
const RESERVED =
  /^(host|connection|content-.*|transfer-encoding|te|trailer|upgrade|keep-alive|expect|date|via|proxy-.*|forwarded|x-forwarded-.*|cookie|user-agent|webhook-.*|x-service-.*)$/i;
// RFC 9110, sections 5.1 and 5.5, in ASCII.
const NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;

/** What is wrong with headers that a subscriber wants to be sent; undefined if nothing is. */
export function problemOfHeaders(headers: unknown): string | undefined {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
    return 'must be an object of names and values';
  }
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS) return `must hold at most ${MAX_HEADERS} headers`;
  const names = new Set(entries.map(([name]) => name.toLowerCase()));
  if (names.size < entries.length) return 'must not name a header twice';
  for (const [name, value] of entries) {
    if (!NAME.test(name)) {
      const shown = JSON.stringify(name.slice(0, 100));
      return `must not name a header ${shown}: a name is as HTTP allows, of 100 characters at most`;
    }
    if (RESERVED.test(name)) return `must not set ${name}, which Galley sets itself`;
    if (typeof value !== 'string' || value.length > MAX_HEADER_VALUE || !VALUE.test(value)) {
      return `must give ${name} a value of 1 to ${MAX_HEADER_VALUE} printable ASCII characters`;
    }
  }
  return undefined;
}

export const hideValues = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));

/**
 * Headers that nobody is shown may be credentials, and are not to be sent wherever an admin likes.
 * @throws DomainError `invalid` when not all values are given.
 */
export function refuseHidden(headers: Record<string, string> | undefined): void {
  if (headers === undefined || Object.values(headers).includes(HIDDEN)) {
    throw DomainError.invalid(
      'headers',
      'headers must be given anew, with their values, when url names another host',
    );
  }
}

/**
 * The headers that are meant by ones that were read and put back.
 * @throws DomainError `invalid` when a hidden value stands where there was none.
 */
export function restoreValues(
  given: Record<string, string>,
  current: Record<string, string>,
): Record<string, string> {
  const known = new Map(
    Object.entries(current).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const meant = value === HIDDEN ? known.get(name.toLowerCase()) : value;
      if (meant === undefined) {
        throw DomainError.invalid(
          'headers',
          `headers must give ${name} a value; ${HIDDEN} stands for one that is there already`,
        );
      }
      return [name, meant];
    }),
  );
}
