import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { version } from '#config';
import type { FastifyInstance } from 'fastify';
import { GUIDES_PATH, serveGuides } from './guides.js';
import { htmlOf, link } from './html.js';
import { REFERENCE_PATH, serveReference } from './reference.js';

// Everything comes from this API, and nothing else is contacted; Swagger UI sets styles itself.
const POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data:`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

// They change with a release; a reader of the previous one may see it for this long.
const CACHE_CONTROL = 'public, max-age=300';

/**
 * What a person finds who only knows where the API runs: the start page, the reference of the API
 * and the guides. They are no operations of the API: nothing in them depends on the caller.
 */
export function servePages(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', (request, reply, done) => {
    const { url = '' } = request.routeOptions;
    if (url === '/' || /^\/docs(\/|$)/.test(url)) {
      void reply.headers({ 'content-security-policy': POLICY, 'cache-control': CACHE_CONTROL });
    }
    done();
  });
  serveStart(fastify);
  serveReference(app);
  serveGuides(fastify);
}

const start = {
  name: 'Galley',
  description: 'Email templates and modules behind a REST API, with signed webhooks.',
  version,
  docs: REFERENCE_PATH,
  guides: GUIDES_PATH,
  openapi: '/openapi.json',
  health: '/health/ready',
};

const startPage = htmlOf({
  title: 'Galley',
  body: `<h1>Galley</h1>
<p>${start.description} This is its API, version ${version}.</p>
<ul>
<li>${link(start.docs, 'API reference')}: read about each operation, and send requests from the page</li>
<li>${link(start.guides, 'Guides')}: webhooks, lists, limits and more</li>
<li>${link(start.openapi, 'openapi.json')}: the contract, for programs</li>
<li>${link(start.health, 'Health')}: whether this Galley can do its work</li>
</ul>`,
});

/** `/`: HTML for browsers, which ask for it, and JSON for all other clients. */
function serveStart(fastify: FastifyInstance): void {
  fastify.get('/', (request, reply) => {
    void reply.header('vary', 'Accept');
    return request.headers.accept?.includes('text/html')
      ? reply.type('text/html; charset=utf-8').send(startPage)
      : reply.send(start);
  });
}
