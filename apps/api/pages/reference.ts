import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createOpenApiDocument } from '../openapi/document.js';
import { link, type PageRenderer } from './html.js';

export const REFERENCE_PATH = '/docs';

/**
 * Serves `/openapi.json`, which is generated at the first request, and `/docs`, a page on which people read
 * the document and send requests. In the browser, Scalar renders the page (`browser/reference.ts`).
 */
export function serveReference(app: NestFastifyApplication, renderer: PageRenderer): void {
  const fastify = app.getHttpAdapter().getInstance();
  let json: string | undefined;
  fastify.get('/openapi.json', (_request, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .send((json ??= JSON.stringify(createOpenApiDocument(app)))),
  );
  const page = renderer.render({
    title: 'API reference · Galley',
    path: REFERENCE_PATH,
    styles: ['reference.css'],
    scripts: ['scalar.js', 'reference.js'],
    body: `<div id="reference"></div>
<noscript><p>This page needs JavaScript. ${link('/openapi.json', 'openapi.json')} has the same content.</p></noscript>`,
  });
  for (const path of [REFERENCE_PATH, `${REFERENCE_PATH}/`]) {
    fastify.get(path, (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
  }
}
