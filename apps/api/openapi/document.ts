import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { version } from '#config';
import { ApiErrorResponse } from '../http/error.response.js';
import { deriveResponses } from './derive-responses.js';
import { notificationModels, webhookOperations } from './notifications.js';

const DESCRIPTION = `Email templates and reusable modules by workspace, and signed webhooks for every change.

Every response has an \`x-request-id\`; include it when you report a problem. Requests that reach no route get an error of the same form: 400 for input that is not HTTP, 404 for an unknown path or method, 408 for a request that does not arrive in time, 417 for an \`Expect\` header other than \`100-continue\`, 431 for headers that are too large.

Routes with \`GET\` also accept \`HEAD\`. Clients must accept unknown fields, headers, enum values, event kinds and errors in responses and notifications, which may be added at any time. Error messages are for people and may change; programs read the \`code\` or the status.

Unknown fields and query parameters get 400. A malformed id gets 404, like an id that does not exist; only in \`resourceIds\` it gets 400. Operations that do not list \`Idempotency-Key\` ignore it, and are idempotent by themselves: sending them twice has the effect of sending them once. Times are in UTC, with milliseconds; in requests they may have any offset.`;

const TAGS: [name: string, description: string][] = [
  ['Templates', 'Named email documents with all their versions.'],
  ['Modules', 'Reusable pieces of documents.'],
  ['Workspaces', 'A workspace holds templates, modules and webhooks. Its members have roles.'],
  ['Members', 'The members of a workspace and their roles.'],
  ['API keys', 'For back ends: send an API key instead of a token.'],
  ['Audit', 'Changes of members, API keys, webhooks and secrets.'],
  ['Webhooks', 'Subscriptions to events.'],
  ['Deliveries', 'The notifications of a webhook, attempt by attempt, and their replays.'],
  ['Events', 'All events of a workspace, for clients that poll.'],
  ['Notifications', 'The notifications that a webhook receives.'],
  ['Authentication', 'The current user, and messages from the identity provider.'],
  ['Health', 'For operators.'],
];

/** The OpenAPI document of the API, from the classes that validate and the operations of its routes. */
export function createOpenApiDocument(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.1')
    .setTitle('Galley')
    .setDescription(DESCRIPTION)
    .setVersion(version)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', 'Where this document comes from')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      description:
        "A token of the identity provider, or a workspace's API key (`glk_…`). While developing: `npm run -s token -- ada@example.com`.",
    })
    .addSecurityRequirements('bearer');
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ApiErrorResponse, ...notificationModels],
  });
  return deriveResponses({ ...document, webhooks: webhookOperations() });
}
