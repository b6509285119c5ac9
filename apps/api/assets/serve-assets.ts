import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AssetFiles, ASSETS_PATH, widths } from '#assets';
import { DomainError } from '#errors';
import type { FastifyReply } from 'fastify';
import { Admission } from '../admission/admission.js';
import { networkOf } from '../http/ip-address.js';
import { matchesEtag } from '../operations/response-headers.js';

const DIGEST = /^[\da-f]{64}$/;
const WIDTHS = new Map(widths.map((width) => [String(width), width]));

// The digest in the URL identifies the bytes, so a copy never becomes stale.
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  // Mail clients and pages of other origins show the pictures.
  'cross-origin-resource-policy': 'cross-origin',
  // A browser that opens a picture as a page must neither load nor run anything.
  'content-security-policy': `default-src 'none'; sandbox`,
};

/** Serves the pictures of all workspaces to mail clients, which have no token. */
export function serveAssets(app: NestFastifyApplication): void {
  const files = app.get(AssetFiles);
  const admission = app.get(Admission);
  app
    .getHttpAdapter()
    .getInstance()
    .get<{ Params: { digest: string; name: string }; Querystring: { width?: unknown } }>(
      `${ASSETS_PATH}:digest/:name`,
      async (request, reply) => {
        const { digest, name } = request.params;
        const width = parseWidth(request.query.width);
        if (!DIGEST.test(digest)) return notFound(reply);
        const etag = `"${digest.slice(0, 32)}${width === undefined ? '' : `-${width}`}"`;
        const callerKey = networkOf(request);
        const file = await files.open(digest, name, { width, callerKey }, (query) =>
          admission.runWithSlot(callerKey, query),
        );
        if (file === undefined) return notFound(reply);
        void reply.headers(HEADERS).header('etag', etag);
        if (matchesEtag(request.headers['if-none-match'], etag)) {
          file.stream.destroy();
          return reply.status(304).send();
        }
        return reply.type(file.type).header('content-length', file.bytes).send(file.stream);
      },
    );
}

/** @throws DomainError `invalid` for another width than the fixed ones. */
function parseWidth(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const width = typeof value === 'string' ? WIDTHS.get(value) : undefined;
  if (width === undefined) {
    throw DomainError.invalid('width', `width must be one of ${widths.join(', ')}`);
  }
  return width;
}

function notFound(reply: FastifyReply): FastifyReply {
  reply.callNotFound();
  return reply;
}
