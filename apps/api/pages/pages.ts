import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { version } from '#config';
import type { FastifyInstance } from 'fastify';
import { GUIDES_PATH, serveGuides } from './guides.js';
import { renderPage, link } from './html.js';
import { REFERENCE_PATH, serveReference } from './reference.js';

// Everything is served by this API, and no other server is contacted; Swagger UI sets styles itself.
const CONTENT_SECURITY_POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data:`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

// The pages change with a release; readers may see the previous release for this long.
const CACHE_CONTROL = 'public, max-age=300';

/**
 * Pages for people who only know the address of the API: the start page, the API reference and the guides.
 * They are not operations of the API, and nothing in them depends on the caller.
 */
export function servePages(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', (request, reply, done) => {
    const { url = '' } = request.routeOptions;
    if (url === '/' || /^\/docs(\/|$)/.test(url)) {
      void reply.headers({
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'cache-control': CACHE_CONTROL,
      });
    }
    done();
  });
  serveStartPage(fastify);
  serveReference(app);
  serveGuides(fastify);
}

const serviceInfo = {
  name: 'Galley',
  description: 'Email templates and modules behind a REST API, with signed webhooks.',
  version,
  docs: REFERENCE_PATH,
  guides: GUIDES_PATH,
  openapi: '/openapi.json',
  health: '/health/ready',
};

const startPage = renderPage({
  title: 'Galley',
  body: `<h1>Galley</h1>
<p>${serviceInfo.description} This is its API, version ${version}.</p>
<ul>
<li>${link(serviceInfo.docs, 'API reference')}: read about each operation, and send requests from the page</li>
<li>${link(serviceInfo.guides, 'Guides')}: webhooks, lists, limits and more</li>
<li>${link(serviceInfo.openapi, 'openapi.json')}: the contract, for programs</li>
<li>${link(serviceInfo.health, 'Health')}: whether this Galley can do its work</li>
</ul>`,
});

/** `/`: HTML for browsers, which ask for HTML, and JSON for all other clients. */
function serveStartPage(fastify: FastifyInstance): void {
  fastify.get('/', (request, reply) => {
    void reply.header('vary', 'Accept');
    return request.headers.accept?.includes('text/html')
      ? reply.type('text/html; charset=utf-8').send(startPage)
      : reply.send(serviceInfo);
  });
}
