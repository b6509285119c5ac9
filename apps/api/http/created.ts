import type { FastifyReply } from 'fastify';

/** Answers with a new resource and says where it is. */
export function created<T extends { id: string }>(
  reply: FastifyReply,
  collection: string,
  resource: T,
): T {
  void reply.header('location', `${collection}/${resource.id}`);
  return resource;
}
