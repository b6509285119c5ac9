import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import { describeApi } from './document.js';

// All of it comes from here, and it talks to nobody else; Swagger UI sets styles itself.
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

/** `/openapi.json`, and `/docs`: a page to read it and try things in. Both are made when first asked for. */
export function servePage(app: NestFastifyApplication): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, reply, done) => {
      if (/^\/docs(\/|$)/.test(request.routeOptions.url ?? '')) {
        void reply.header('content-security-policy', POLICY);
      }
      done();
    });
  SwaggerModule.setup('docs', app, () => describeApi(app), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Galley API',
    swaggerOptions: { docExpansion: 'none', displayRequestDuration: true },
  });
}
