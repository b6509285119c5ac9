import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { commonHeaderRefs } from '../openapi/components.js';
import { createOpenApiDocument } from '../openapi/document.js';
import { GUIDES_PATH } from './guides.js';

export const REFERENCE_PATH = '/docs';

// On narrow screens, Swagger UI wraps neither long paths nor wide tables.
const STYLE = `
.swagger-ui .topbar { display: none }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 10px }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap }
  .swagger-ui .opblock .opblock-summary-control { flex-wrap: wrap }
  .swagger-ui table { display: block; overflow-x: auto }
}`;

const SHARED_HEADERS = Object.keys(commonHeaderRefs(true));
const PAGE_NOTES = [
  `[Guides](${GUIDES_PATH}) explain webhooks, lists, limits and more.`,
  `Errors carry the same headers as other responses (${SHARED_HEADERS.map((name) => `\`${name}\``).join(', ')}). This page lists them only for successes; [openapi.json](/openapi.json) lists them for each response.`,
];

/**
 * `/openapi.json`, and `/docs`: a page to read it and to send requests from. Both are generated once, on
 * demand.
 */
export function serveReference(app: NestFastifyApplication): void {
  let document: OpenAPIObject | undefined;
  let json: string | undefined;
  const getDocument = (): OpenAPIObject => (document ??= createOpenApiDocument(app));
  app
    .getHttpAdapter()
    .getInstance()
    .get('/openapi.json', (_request, reply) =>
      reply.type('application/json; charset=utf-8').send((json ??= JSON.stringify(getDocument()))),
    );
  SwaggerModule.setup(REFERENCE_PATH, app, () => withoutRepeatedHeaders(getDocument()), {
    raw: [],
    customSiteTitle: 'Galley API',
    customCss: STYLE,
    swaggerOptions: {
      docExpansion: 'none',
      displayRequestDuration: true,
      // Kept in the browser's local storage until the reader logs out on the page.
      persistAuthorization: true,
    },
  });
}

interface ResponseObject {
  headers?: Record<string, unknown>;
}

/** For reading: the headers of every response are not repeated in each error. */
function withoutRepeatedHeaders(document: OpenAPIObject): OpenAPIObject {
  const pageDocument = structuredClone(document);
  const operations = Object.values(pageDocument.paths).flatMap(
    (path) => Object.values(path) as unknown[],
  );
  const errorResponses = operations.flatMap((operation) => {
    const { responses = {} } = operation as { responses?: Record<string, ResponseObject> };
    return Object.entries(responses).flatMap(([status, response]) =>
      Number(status) >= 400 ? [response] : [],
    );
  });
  const sharedResponses = Object.values(
    pageDocument.components?.responses ?? {},
  ) as ResponseObject[];
  for (const { headers } of [...errorResponses, ...sharedResponses]) {
    for (const name of SHARED_HEADERS) delete headers?.[name];
  }
  const [introduction = '', ...rest] = (pageDocument.info.description ?? '').split('\n\n');
  pageDocument.info.description = [introduction, ...PAGE_NOTES, ...rest].join('\n\n');
  return pageDocument;
}
