import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createOpenApiDocument } from '../openapi/document.js';
import { link, type PageRenderer } from './html.js';
import { StaticDocument } from './static-document.js';

export const REFERENCE_PATH = '/docs';
export const OPENAPI_PATH = '/openapi.json';

/**
 * Serves `/openapi.json` and `/docs`. The OpenAPI document is generated on the first request. On the page `/docs`,
 * people read the document and send requests. In the browser, Scalar renders the page (`browser/reference.ts`).
 */
export function serveReference(app: NestFastifyApplication, renderer: PageRenderer): void {
  const fastify = app.getHttpAdapter().getInstance();
  let openApi: StaticDocument | undefined;
  fastify.get(OPENAPI_PATH, (request, reply) => {
    openApi ??= new StaticDocument(
      'application/json; charset=utf-8',
      JSON.stringify(createOpenApiDocument(app)),
    );
    return openApi.send(request, reply);
  });
  const html = renderer.render({
    title: 'API reference · Galley',
    path: REFERENCE_PATH,
    styles: ['reference.css'],
    scripts: ['scalar.js', 'reference.js'],
    body: `<div id="reference"></div>
<noscript><p>This page needs JavaScript. ${link(OPENAPI_PATH, 'openapi.json')} has the same content.</p></noscript>`,
  });
  const page = new StaticDocument('text/html; charset=utf-8', html);
  for (const path of [REFERENCE_PATH, `${REFERENCE_PATH}/`]) {
    fastify.get(path, (request, reply) => page.send(request, reply));
  }
}
