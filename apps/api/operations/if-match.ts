import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { DomainError, stripEncoding, type Precondition } from '#errors';
import type { FastifyRequest } from 'fastify';
import { STRONG_ETAG } from '../validation/entity-tag.js';
import { isRead, operationOf } from './response-headers.js';

// A comma within quotes is part of the tag.
const LIST_ELEMENTS = /(?:[^,"]|"[^"]*"?)+/g;

/**
 * Injects the precondition of the `If-Match` header. The header may contain weak tags (RFC 9110, section 13.1.1), but
 * they never match.
 */
export const IfMatch = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Precondition => {
    const header = context.switchToHttp().getRequest<FastifyRequest>().headers['if-match'];
    if (header === undefined || header.trim() === '*') return undefined;
    // Empty list elements are ignored (RFC 9110, section 5.6.1.2).
    const tags = (header.match(LIST_ELEMENTS) ?? []).flatMap((tag) => tag.trim() || []);
    if (tags.length === 0 || !tags.every((tag) => STRONG_ETAG.test(tag.replace(/^W\//, '')))) {
      throw DomainError.invalid(
        'If-Match',
        'If-Match must be the ETag of the resource, with its quotes',
      );
    }
    return tags.map(stripEncoding);
  },
);

/** Injects whether the request has an `If-Match` header, also `*`: the resource must then exist. */
export const HasIfMatch = createParamDecorator(
  (_data: unknown, context: ExecutionContext): boolean =>
    context.switchToHttp().getRequest<FastifyRequest>().headers['if-match'] !== undefined,
);

/**
 * Refuses a write with a precondition that its operation does not check. Otherwise, the caller would wrongly rely on
 * the precondition to protect the changes of others.
 * @throws DomainError `precondition_unsupported`
 */
export function refuseUnsupportedPreconditions(request: FastifyRequest): void {
  const { method, headers } = request;
  const operation = operationOf(request);
  if (operation === undefined || isRead(method)) return;
  if (headers['if-match'] !== undefined && !operation.ifMatch) throw unsupported('If-Match');
  if (headers['if-none-match'] !== undefined) throw unsupported('If-None-Match');
}

const unsupported = (path: string) =>
  new DomainError(
    'precondition_unsupported',
    `This operation does not support ${path}, so nothing was changed. Send the request without ${path}.`,
    [{ path, message: `${path} is not supported here` }],
  );
