import type { IncomingMessage } from 'node:http';
import { DomainError, errorCodes } from '#errors';
import type { FastifyInstance } from 'fastify';

/** Refuses requests to unknown routes, and requests with unsupported headers, before their bodies are read. */
export function rejectBeforeBody(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { expect, 'transfer-encoding': transferEncoding = 'chunked' } = request.headers;
    const { not_found, expectation_failed } = errorCodes;
    if (request.is404) {
      done(new DomainError('not_found', not_found.message));
    } else if (transferEncoding.toLowerCase() !== 'chunked') {
      // Node decodes only `chunked`. If the body were also compressed, Node would pass on the compressed bytes.
      done(DomainError.invalid('Transfer-Encoding', 'Transfer-Encoding must be chunked'));
    } else if (expect !== undefined && !expectsContinue(request.raw)) {
      done(new DomainError('expectation_failed', expectation_failed.message));
    } else done();
  });
}

/** HTTP/1.0 does not support expectations (RFC 9110, section 10.1.1). */
export const expectsContinue = ({ httpVersion, headers: { expect } }: IncomingMessage): boolean =>
  httpVersion !== '1.0' && expect?.toLowerCase() === '100-continue';
