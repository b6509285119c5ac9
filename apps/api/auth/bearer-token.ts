import type { FastifyRequest } from 'fastify';

// RFC 6750, section 2.1: the scheme and one token, without anything else.
const CREDENTIALS = /^bearer +([\w~+/.-]+=*)$/i;

type Request = Pick<FastifyRequest, 'raw'>;

/** The token or API key of a request. Empty without one, and if the header is malformed or given twice. */
export function bearerToken(request: Request): string {
  const [given = '', ...others] = authorizationsOf(request);
  return (others.length === 0 && CREDENTIALS.exec(given)?.[1]) || '';
}

/** Whether the caller has sent a token, though maybe not in a form that can be read. */
export const hasBearerToken = (request: Request): boolean =>
  authorizationsOf(request).some((given) => /^bearer\s+\S/i.test(given));

/** `headers` has the first one alone. */
function authorizationsOf({ raw: { rawHeaders } }: Request): string[] {
  return rawHeaders.filter(
    (_value, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization',
  );
}
