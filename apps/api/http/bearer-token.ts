import type { FastifyRequest } from 'fastify';

const NAME = 'authorization';
// The scheme and exactly one token (RFC 6750, section 2.1).
const BEARER_CREDENTIALS = /^bearer +([\w~+/.-]+=*)$/i;

type Request = Pick<FastifyRequest, 'raw'>;

/** Returns the token or API key of a request, or an empty string if the header is missing, malformed or repeated. */
export function bearerToken(request: Request): string {
  const [header = '', ...otherHeaders] = authorizationHeadersOf(request);
  return (otherHeaders.length === 0 && BEARER_CREDENTIALS.exec(header)?.[1]) || '';
}

/** Whether the caller has sent a bearer token, well-formed or not. */
export const hasBearerToken = (request: Request): boolean =>
  authorizationHeadersOf(request).some((header) => /^bearer\s+\S/i.test(header));

/** Reads the raw headers, because `request.headers` contains only the first `Authorization` header. */
function authorizationHeadersOf({ raw: { rawHeaders } }: Request): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Comparing the lengths first is cheap, and rules out nearly all other headers.
    if (name.length === NAME.length && name.toLowerCase() === NAME) {
      values.push(rawHeaders[index + 1] ?? '');
    }
  }
  return values;
}
