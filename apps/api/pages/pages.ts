import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { version } from '#config';
import type { FastifyInstance } from 'fastify';
import { setPagePolicy, type Directives } from '../http/security-headers.js';
import { Assets } from './assets.js';
import { GUIDES_PATH, serveGuides } from './guides.js';
import { serveIcons } from './icons.js';
import { link, PageRenderer } from './html.js';
import { OPENAPI_PATH, REFERENCE_PATH, serveReference } from './reference.js';
import { SCHEMA_PATH, serveSchemas } from './schemas.js';
import { StaticDocument } from './static-document.js';

const PAGE_DIRECTIVES: Directives = { 'style-src': [`'self'`] };
const REFERENCE_DIRECTIVES: Directives = {
  'script-src': [`'self'`],
  // Scalar sets inline styles.
  'style-src': [`'self'`, `'unsafe-inline'`],
  'connect-src': [`'self'`],
};

const GUIDE_DIRECTIVES: Directives = { ...PAGE_DIRECTIVES, 'form-action': [`'self'`] };

const DIRECTIVES = new Map([
  ['/', PAGE_DIRECTIVES],
  [`${GUIDES_PATH}/:name?`, GUIDE_DIRECTIVES],
  [REFERENCE_PATH, REFERENCE_DIRECTIVES],
  [`${REFERENCE_PATH}/`, REFERENCE_DIRECTIVES],
  [OPENAPI_PATH, PAGE_DIRECTIVES],
  [SCHEMA_PATH, PAGE_DIRECTIVES],
]);

// The pages change only with a release. Readers may see the pages of the previous release for this long.
const CACHE_CONTROL = 'public, max-age=300';

/**
 * Serves web pages to people who know only the URL of the API: the start page, the API reference and the guides. Also
 * serves the JSON Schema of documents, which editors load, and the icons of social networks, which mail clients load. None of these pages is an operation of the API, and none
 * depends on the caller.
 */
export function servePages(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', (request, reply, done) => {
    const directives = DIRECTIVES.get(request.routeOptions.url ?? '');
    if (directives) {
      setPagePolicy(reply, directives);
      void reply.header('cache-control', CACHE_CONTROL);
    }
    done();
  });
  const assets = new Assets();
  assets.serve(fastify);
  const renderer = new PageRenderer(assets);
  serveStartPage(fastify, renderer);
  serveReference(app, renderer);
  serveGuides(fastify, renderer);
  serveSchemas(fastify);
  serveIcons(fastify);
}

const serviceInfo = {
  name: 'Galley',
  description: 'Email templates and modules behind a REST API, with signed webhooks.',
  version,
  docs: REFERENCE_PATH,
  guides: GUIDES_PATH,
  openapi: OPENAPI_PATH,
  health: '/health/ready',
};

const START_PAGE = {
  title: 'Galley',
  path: '/',
  styles: ['guides.css' as const],
  body: `<main>
<h1>Galley</h1>
<p>${serviceInfo.description} This is the API of Galley, version ${version}.</p>
<ul>
<li>${link(serviceInfo.docs, 'API reference')}: read about each operation, and send requests from the page</li>
<li>${link(serviceInfo.guides, 'Guides')}: webhooks, lists, limits and more</li>
<li>${link(serviceInfo.openapi, 'openapi.json')}: the OpenAPI document, for programs</li>
<li>${link(serviceInfo.health, 'Health')}: whether this process can handle requests</li>
</ul>
</main>`,
};

/** Serves `/`: HTML to browsers, which accept `text/html`, and JSON to all other clients. */
function serveStartPage(fastify: FastifyInstance, renderer: PageRenderer): void {
  const html = new StaticDocument('text/html; charset=utf-8', renderer.render(START_PAGE));
  const json = new StaticDocument('application/json; charset=utf-8', JSON.stringify(serviceInfo));
  fastify.get('/', (request, reply) => {
    void reply.header('vary', 'Accept, Origin');
    return (request.headers.accept?.includes('text/html') ? html : json).send(request, reply);
  });
}
