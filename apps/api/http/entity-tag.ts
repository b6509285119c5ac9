import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { DomainError, entityTag, type Precondition } from '#errors';
import type { FastifyReply, FastifyRequest } from 'fastify';

const TAG = /^(W\/)?"[\x21\x23-\x7e]*"$/;

/** What `If-Match` asks for. A weak tag says that two states are alike, not that they are one. */
export const IfMatch = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Precondition => {
    const header = context.switchToHttp().getRequest<FastifyRequest>().headers['if-match'];
    if (header === undefined || header.trim() === '*') return undefined;
    const tags = header.split(',').map((tag) => tag.trim());
    if (!tags.every((tag) => TAG.test(tag))) {
      throw DomainError.invalid(
        'If-Match',
        'If-Match must be the ETag of the resource, with its quotes',
      );
    }
    return tags;
  },
);

/** Answers with a resource and its tag; with the tag alone where the caller has that state already. */
export function tagged<T extends { updatedAt: Date }>(
  reply: FastifyReply,
  resource: T,
): T | undefined {
  const tag = entityTag(resource);
  void reply.header('etag', tag);
  const { method, headers } = reply.request;
  if ((method !== 'GET' && method !== 'HEAD') || !names(headers['if-none-match'], tag)) {
    return resource;
  }
  void reply.status(304);
  return undefined;
}

/** RFC 9110, section 13.1.2, has tags compared weakly here. */
const names = (header: string | undefined, tag: string): boolean =>
  header?.split(',').some((each) => ['*', tag, `W/${tag}`].includes(each.trim())) ?? false;
