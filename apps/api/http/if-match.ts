import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { DomainError, type Precondition } from '#errors';
import type { FastifyRequest } from 'fastify';
import { check } from './fields.js';

const STRONG = /^"[\x21\x23-\x7e]*"$/;

/** What `If-Match` asks for. It may name weak tags (RFC 9110, section 13.1.1), which are those of no state. */
export const IfMatch = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Precondition => {
    const header = context.switchToHttp().getRequest<FastifyRequest>().headers['if-match'];
    if (header === undefined || header.trim() === '*') return undefined;
    // Nothing between two commas is no tag, and no fault (section 5.6.1.2).
    const tags = header.split(',').flatMap((tag) => tag.trim() || []);
    if (tags.length === 0 || !tags.every((tag) => STRONG.test(tag.replace(/^W\//, '')))) {
      throw DomainError.invalid(
        'If-Match',
        'If-Match must be the ETag of the resource, with its quotes',
      );
    }
    return tags;
  },
);

/** The tag of the state in which a resource was seen. */
export const IsEntityTag = () =>
  check(
    'isEntityTag',
    (value) =>
      typeof value === 'string' && STRONG.test(value)
        ? undefined
        : 'must be the ETag of the resource, with its quotes and without W/',
    {
      type: String,
      pattern: STRONG.source,
      description:
        'The `ETag` of the state that you have read; when somebody has changed it since, nothing is done and you get 412.',
    },
  );
