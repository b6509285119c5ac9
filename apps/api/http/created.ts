import { entityTag } from '#errors';
import type { FastifyReply } from 'fastify';

/** Answers with a new resource and says where it is. */
export function created<T extends { id: string; updatedAt?: Date }>(
  reply: FastifyReply,
  collection: string,
  resource: T,
): T {
  void reply.header('location', `${collection}/${resource.id}`);
  const { updatedAt } = resource;
  if (updatedAt) void reply.header('etag', entityTag({ updatedAt }));
  return resource;
}
