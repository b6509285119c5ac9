import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { version } from '#config';
import { documentSchema } from '#rendering';
import { ApiErrorResponse } from '../http/error.response.js';
import { deriveResponses } from './derive-responses.js';
import { notificationModels, webhookOperations } from './notifications.js';

const DESCRIPTION = `Manages email templates and reusable modules in workspaces, and sends a signed webhook for every change.

Every response has an \`x-request-id\`; include it when you report a problem. All errors have the same body, \`ApiError\`, even if the request reaches no route: 400 for input that is not HTTP, 404 for an unknown path or method, 408 for a request that does not arrive in time, 417 for an \`Expect\` header other than \`100-continue\`, and 431 for headers that are too large.

Routes with \`GET\` also accept \`HEAD\`. Galley may add fields, headers, enum values, event kinds and errors to responses and notifications at any time: clients must accept unknown ones. Error messages are for people and may change; programs read the \`code\` or the status. A name in capitals after a limit, such as \`MAX_BATCH_BYTES\`, is the setting with which the operator can change that limit.

Requests with unknown fields or query parameters get 400. A malformed id gets 404, like an id that does not exist, except in \`resourceIds\`, where it gets 400. Operations that do not list the \`Idempotency-Key\` header ignore the header. You can repeat such operations without a key: two identical requests have the same effect as one. The exception is \`sendTestEmail\`, which sends an email for each request. Times in responses are in UTC, with milliseconds; times in requests may have any offset.`;

const TAGS: [name: string, description: string][] = [
  ['Templates', 'Named email documents with all their versions.'],
  ['Publishing', 'Environments, and the versions of templates that are published in them.'],
  ['Modules', 'Reusable pieces of documents.'],
  ['Rendering', 'Turns documents into the HTML of emails.'],
  ['Checks', 'Finds mistakes in documents, so that you can correct them before you send an email.'],
  ['Pictures', 'The pictures of emails, with public URLs that never change.'],
  ['Imports', 'Turns emails of other programs into documents.'],
  [
    'Test emails',
    'Sends a template to a mailbox, so that you see the email in a real mail client.',
  ],
  ['Search', 'Finds templates and modules by their names and content.'],
  ['Tags', 'Lists, renames and removes the tags of all templates and modules of a workspace.'],
  ['Trash', 'Deleted templates and modules, which can be restored.'],
  [
    'Workspaces',
    'A workspace holds templates, modules, pictures and webhooks. Its members have roles.',
  ],
  ['Members', 'The members of a workspace and their roles.'],
  ['API keys', 'The API keys of a workspace, which back ends send instead of a token.'],
  [
    'Audit',
    'The audit log of a workspace: who changed the workspace, its members, API keys or webhooks, who read the secret of a webhook, who sent a test email, and who deleted something from the trash for good.',
  ],
  ['Webhooks', 'Subscriptions to events.'],
  ['Deliveries', 'The deliveries of a webhook with their attempts, and replays of deliveries.'],
  ['Events', 'All events of a workspace, for clients that poll.'],
  ['Notifications', 'The notifications that a webhook receives.'],
  ['Authentication', 'The current user, and messages from the identity provider.'],
  ['Health', 'Health checks of the process, for operators.'],
];

/** Generates the OpenAPI document from the classes that validate requests and from the operations of the routes. */
export function createOpenApiDocument(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.1')
    .setTitle('Galley')
    .setDescription(DESCRIPTION)
    .setVersion(version)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', 'The server that this document comes from')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      description:
        'A token from the identity provider, or an API key of a workspace (`glk_…`). During development, get a token with `npm run -s token -- ada@example.com`.',
    })
    .addSecurityRequirements('bearer');
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ApiErrorResponse, ...notificationModels],
  });
  return describeEmails(deriveResponses({ ...document, webhooks: webhookOperations() }));
}

/** Adds the definitions of the JSON Schema of documents, to which `IsDocument` refers. */
function describeEmails(document: OpenAPIObject): OpenAPIObject {
  const { schemas = {} } = document.components ?? {};
  // OpenAPI 3.1 has the same JSON Schema, with the definitions in another place.
  const json = JSON.stringify(documentSchema()).replaceAll('#/$defs/', '#/components/schemas/');
  const definitions = (JSON.parse(json) as { $defs: typeof schemas }).$defs;
  const all = Object.entries({ ...schemas, ...definitions });
  if (all.length < Object.keys(schemas).length + Object.keys(definitions).length)
    throw new Error('A class and a definition of the schema of documents have the same name.');
  const sorted = Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...document, components: { ...document.components, schemas: sorted } };
}
