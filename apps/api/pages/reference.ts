import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { headersOfAll } from '../openapi/components.js';
import { describeApi } from '../openapi/document.js';
import { GUIDES_PATH } from './guides.js';

export const REFERENCE_PATH = '/docs';

// Swagger UI wraps neither long paths nor wide tables on a narrow screen.
const STYLE = `
.swagger-ui .topbar { display: none }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 10px }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap }
  .swagger-ui .opblock .opblock-summary-control { flex-wrap: wrap }
  .swagger-ui table { display: block; overflow-x: auto }
}`;

const SHARED_HEADERS = Object.keys(headersOfAll(true));
const ON_THE_PAGE = [
  `[Guides](${GUIDES_PATH}) explain webhooks, lists, limits and more.`,
  `Errors carry the same headers as other responses (${SHARED_HEADERS.map((name) => `\`${name}\``).join(', ')}). This page lists them only for successes; [openapi.json](/openapi.json) lists them for each response.`,
];

/** `/openapi.json`, and `/docs`: a page to read it and to send requests from. Both are made once, on demand. */
export function serveReference(app: NestFastifyApplication): void {
  let document: OpenAPIObject | undefined;
  let json: string | undefined;
  const describe = (): OpenAPIObject => (document ??= describeApi(app));
  app
    .getHttpAdapter()
    .getInstance()
    .get('/openapi.json', (_request, reply) =>
      reply.type('application/json; charset=utf-8').send((json ??= JSON.stringify(describe()))),
    );
  SwaggerModule.setup(REFERENCE_PATH, app, () => forPage(describe()), {
    raw: [],
    customSiteTitle: 'Galley API',
    customCss: STYLE,
    swaggerOptions: {
      docExpansion: 'none',
      displayRequestDuration: true,
      // In the browser's local storage, until the reader logs out on the page.
      persistAuthorization: true,
    },
  });
}

interface Response {
  headers?: Record<string, unknown>;
}

/** A variant to read: the headers of every response are not repeated in each error. */
function forPage(document: OpenAPIObject): OpenAPIObject {
  const page = structuredClone(document);
  const operations = Object.values(page.paths).flatMap((path) => Object.values(path) as unknown[]);
  const own = operations.flatMap((operation) => {
    const { responses = {} } = operation as { responses?: Record<string, Response> };
    return Object.entries(responses).flatMap(([status, response]) =>
      Number(status) >= 400 ? [response] : [],
    );
  });
  const shared = Object.values(page.components?.responses ?? {}) as Response[];
  for (const { headers } of [...own, ...shared]) {
    for (const name of SHARED_HEADERS) delete headers?.[name];
  }
  const [introduction = '', ...rest] = (page.info.description ?? '').split('\n\n');
  page.info.description = [introduction, ...ON_THE_PAGE, ...rest].join('\n\n');
  return page;
}
