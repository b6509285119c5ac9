import type { Type } from '@nestjs/common';
import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { notifications } from './notification-kinds.js';

export const notificationModels = Object.values(notifications).map(({ model }) => model);

/** `template.created` → `TemplateCreatedNotification`. */
const nameOf = (kind: string): string =>
  `${kind.replace(/(?:^|\.)(\w)/g, (_all, letter: string) => letter.toUpperCase())}Notification`;
const referenceTo = (kind: string) => ({ $ref: `#/components/schemas/${nameOf(kind)}` });

const schemaOf = (kind: string, model: Type) => ({
  type: 'object' as const,
  required: ['event', 'timestamp', 'data'],
  properties: {
    event: { type: 'string' as const, enum: [kind], description: 'What happened.' },
    timestamp: {
      ...{ type: 'string' as const, format: 'date-time' },
      description: 'When it happened.',
    },
    data: {
      $ref: getSchemaPath(model),
      description: 'As it was then; ask for the resource as it is now.',
    },
  },
});

const kinds = Object.keys(notifications);

/** The bodies of notifications, and one of whichever kind, for receivers. */
export const notificationSchemas = () => ({
  ...Object.fromEntries(
    Object.entries(notifications).map(([kind, { model }]) => [nameOf(kind), schemaOf(kind, model)]),
  ),
  WebhookNotification: {
    description: 'The body of any notification.',
    oneOf: kinds.map(referenceTo),
    discriminator: {
      propertyName: 'event',
      mapping: Object.fromEntries(kinds.map((kind) => [kind, referenceTo(kind).$ref])),
    },
  },
});

type Parameter = [name: string, description: string, schema: object];

const headers: Parameter[] = [
  ['webhook-id', 'The event; the same with every attempt and every replay.', { format: 'uuid' }],
  [
    'webhook-timestamp',
    'When this attempt was made, in seconds since 1970.',
    { pattern: '^[0-9]+$' },
  ],
  [
    'webhook-signature',
    '`v1,` and HMAC-SHA256 in base64 over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks; several with blanks between while a secret is replaced.',
    { pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$' },
  ],
  [
    'X-Service-Signature',
    '`t=` seconds since 1970 and `v1=` HMAC-SHA256 in hexadecimal over `<t>.<body>`; several `v1` while a secret is replaced.',
    { pattern: '^t=[0-9]+(,v1=[0-9a-f]{64})+$' },
  ],
  [
    'X-Service-Sequence',
    'Counts the events of the same resource from 1, also those that this webhook has not subscribed to.',
    { pattern: '^[1-9][0-9]*$' },
  ],
  ['User-Agent', '`Galley/` and its version.', { pattern: '^Galley/' }],
];

/** The `webhooks` section: what a subscriber's receiver is sent, and what it may answer. */
export const webhooks = (): NonNullable<OpenAPIObject['webhooks']> =>
  Object.fromEntries(
    Object.entries(notifications).map(([kind, { summary, example }]) => [
      kind,
      { post: operationOf(kind, summary, example) },
    ]),
  );

const operationOf = (kind: string, summary: string, data: object) => ({
  ...{ operationId: `receive.${kind}`, summary, tags: ['Notifications'] },
  // What proves the sender is the signature.
  security: [],
  parameters: headers.map(([name, description, schema]) => ({
    ...{ name, in: 'header' as const, required: true, description },
    schema: { type: 'string' as const, ...schema },
  })),
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: referenceTo(kind),
        example: { event: kind, timestamp: '2026-11-21T09:32:00.000Z', data },
      },
    },
  },
  responses: {
    '2XX': { description: 'Received; within 15 seconds. It is not sent again.' },
    '410': { description: 'There is nobody here any more. The webhook is disabled at once.' },
    '429': { description: '`Retry-After` is honoured.' },
    '503': { description: '`Retry-After` is honoured.' },
    default: { description: 'Failed. It is tried again, for three days.' },
  },
});
