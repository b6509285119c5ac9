import { iconOf, ICONS_PATH } from '#rendering';
import type { FastifyInstance } from 'fastify';

// Emails refer to the icons for years, so the path of an icon never changes, but the picture may.
const CACHE_CONTROL = 'public, max-age=2592000';

/** Serves the icons of social networks, which mail clients load. */
export function serveIcons(fastify: FastifyInstance): void {
  fastify.get<{ Params: { file: string } }>(`${ICONS_PATH}:file`, (request, reply) => {
    const [, name = ''] = /^(\w+)\.png$/.exec(request.params.file) ?? [];
    const picture = iconOf(name);
    if (picture === undefined) {
      reply.callNotFound();
      return reply;
    }
    return (
      reply
        .type('image/png')
        .header('cache-control', CACHE_CONTROL)
        // Emails are pages of other origins.
        .header('cross-origin-resource-policy', 'cross-origin')
        .send(picture)
    );
  });
}
