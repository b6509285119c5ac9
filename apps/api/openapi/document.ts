import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { version } from '#config';
import { ApiErrorAnswer } from '../http/error.answer.js';
import { complete } from './complete.js';
import { notificationModels, webhooks } from './notifications.js';

const DESCRIPTION = `Email templates and reusable modules by workspace, and signed webhooks for every change.

Every answer carries \`x-request-id\`; tell it to us when you report a fault. What does not reach a route is answered in the same form: 400 for what is not HTTP, 404 for a path or method that there is not, 408 for what does not arrive in time, 417 for an \`Expect\` header other than \`100-continue\`, 431 for headers that are too large.

\`GET\` routes answer \`HEAD\` as well. Clients must take what they do not know in answers and notifications: fields, headers, values of enums, event kinds and errors may be added at any time. The texts of errors are for people and may change; programs read the \`code\` or the status.

A field or query parameter that a route does not know is refused with 400. A malformed id gets 404, like one that does not exist, wherever it is sent; only in \`resourceIds\` it gets 400. Operations that do not list \`Idempotency-Key\` ignore it; sent twice in a row, they leave the state that once leaves. Times are in UTC, with milliseconds; in requests they may have any offset.`;

const TAGS: [name: string, description: string][] = [
  ['Templates', 'Named email documents, and all their versions.'],
  ['Modules', 'Reusable pieces of documents.'],
  ['Workspaces', 'Templates, modules and webhooks belong to one; its members have a role in it.'],
  ['Members', 'Who may do what in a workspace.'],
  ['API keys', 'For back ends: they go where a token goes.'],
  ['Audit', 'Who changed members, keys, webhooks and secrets.'],
  ['Webhooks', 'Who is told of which events.'],
  ['Deliveries', 'What became of notifications, attempt by attempt; and once more.'],
  ['Events', 'All that happened in a workspace, to be asked for.'],
  ['Notifications', 'What a webhook is sent.'],
  ['Authentication', 'Who you are, and what the identity provider says.'],
  ['Health', 'For whoever runs Galley.'],
];

/** The OpenAPI document of the API, from the classes that validate and the operations of its routes. */
export function describeApi(app: INestApplication): OpenAPIObject {
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
    extraModels: [ApiErrorAnswer, ...notificationModels],
  });
  return complete({ ...document, webhooks: webhooks() });
}
