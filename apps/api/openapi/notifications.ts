import type { Type } from '@nestjs/common';
import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { notifications } from './notification-kinds.js';

export const notificationModels = Object.values(notifications).map(({ model }) => model);

/** Returns, for example, `TemplateCreatedNotification` for `template.created`. */
const schemaNameOf = (kind: string): string =>
  `${kind.replace(/(?:^|\.)(\w)/g, (_all, letter: string) => letter.toUpperCase())}Notification`;
const schemaRef = (kind: string) => ({ $ref: `#/components/schemas/${schemaNameOf(kind)}` });

const notificationSchema = (kind: string, model: Type) => ({
  type: 'object' as const,
  required: ['event', 'timestamp', 'data'],
  properties: {
    event: { type: 'string' as const, enum: [kind], description: 'What happened.' },
    timestamp: {
      type: 'string' as const,
      format: 'date-time',
      description: 'The time of the event.',
    },
    data: {
      $ref: getSchemaPath(model),
      description:
        'The resource right after the event; if the resource was deleted, its last state. To get the current state, read the resource.',
    },
  },
});

const eventKinds = Object.keys(notifications);

/** The schemas of notification bodies: one for each kind, and a union of all kinds. */
export const notificationSchemas = () => ({
  ...Object.fromEntries(
    Object.entries(notifications).map(([kind, { model }]) => [
      schemaNameOf(kind),
      notificationSchema(kind, model),
    ]),
  ),
  WebhookNotification: {
    description: 'The body of any notification.',
    oneOf: eventKinds.map(schemaRef),
    discriminator: {
      propertyName: 'event',
      mapping: Object.fromEntries(eventKinds.map((kind) => [kind, schemaRef(kind).$ref])),
    },
  },
});

type HeaderParameter = [name: string, description: string, schema: object];

const notificationHeaders: HeaderParameter[] = [
  [
    'webhook-id',
    'The id of the event; the same for every attempt and every replay.',
    { format: 'uuid' },
  ],
  [
    'webhook-timestamp',
    'When this attempt was made, in seconds since 1970.',
    { pattern: '^[0-9]+$' },
  ],
  [
    'webhook-signature',
    '`v1,` followed by the base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks. The HMAC key is the part of the secret after `whsec_`, decoded from base64. During a rotation, the header has several such values, separated by spaces.',
    { pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$' },
  ],
  [
    'X-Service-Signature',
    '`t=` followed by the seconds since 1970, then a comma and `v1=` followed by the hexadecimal HMAC-SHA256 of `<t>.<body>`. The HMAC key is the part of the secret after `whsec_`, decoded from base64. During a rotation, the header has several `v1` parts, each after a comma.',
    { pattern: '^t=[0-9]+(,v1=[0-9a-f]{64})+$' },
  ],
  [
    'X-Service-Sequence',
    'The position of the event in the sequence of events of its resource, starting at 1. Events that this webhook does not subscribe to count as well.',
    { pattern: '^[1-9][0-9]*$' },
  ],
  [
    'User-Agent',
    '`Galley/`, followed by the version of Galley and, if the commit is known, by `+` and the commit from which Galley was built.',
    { pattern: '^Galley/' },
  ],
];

const RETRY_AFTER_DESCRIPTION =
  'The attempt failed. `Retry-After` can postpone the next attempt, by about a day at most. It never makes the attempt earlier.';

/**
 * The `webhooks` section of the OpenAPI document: the requests that Galley sends to a receiver, and the responses that
 * the receiver may send.
 */
export const webhookOperations = (): NonNullable<OpenAPIObject['webhooks']> =>
  Object.fromEntries(
    Object.entries(notifications).map(([kind, { summary, example }]) => [
      kind,
      { post: webhookOperationOf(kind, summary, example) },
    ]),
  );

const webhookOperationOf = (kind: string, summary: string, data: object) => ({
  operationId: `receive.${kind}`,
  summary,
  tags: ['Notifications'],
  // No security scheme applies, because the signature authenticates Galley.
  security: [],
  parameters: notificationHeaders.map(([name, description, schema]) => ({
    name,
    in: 'header' as const,
    required: true,
    description,
    schema: { type: 'string' as const, ...schema },
  })),
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: schemaRef(kind),
        example: { event: kind, timestamp: '2026-11-21T09:32:00.000Z', data },
      },
    },
  },
  responses: {
    '2XX': {
      description:
        'Confirms the notification, if Galley receives the response within 15 seconds. In rare cases, Galley sends a confirmed notification again, with the same `webhook-id`.',
    },
    '410': {
      description: 'The receiver no longer exists. Galley disables the webhook immediately.',
    },
    '429': { description: RETRY_AFTER_DESCRIPTION },
    '503': { description: RETRY_AFTER_DESCRIPTION },
    default: { description: 'The attempt failed. Galley retries for three days.' },
  },
});
