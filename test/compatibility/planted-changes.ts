import { and, GONE, without, type Edit } from './edits.js';

const created = 'receive.template.created';
const body = 'TemplateCreatedNotification';
const [string, number] = [{ type: 'string' }, { type: 'number' }];
const anyBody = { content: { 'application/json': { schema: {} } } };
const kind = { name: 'kind', in: 'query', schema: string };

/** Breaking changes: the expected name of each change, and the edits that make the change. */
export const breaking: [change: string, ...edits: Edit[]][] = [
  ['operation-removed deleteTemplate', ['paths /api/templates/{id} delete', GONE]],
  ['operation-removed getTemplate', ['getTemplate operationId', 'readTemplate']],
  [
    'operation-moved getLiveness',
    ['paths /health/live', ({ get }: { get: object }) => ({ put: get })],
  ],
  ['operation-security getLiveness', ['getLiveness security', GONE]],

  ['request-removed listTemplates query search', ['listTemplates parameters search', GONE]],
  [
    'request-required listTemplates query search',
    ['listTemplates parameters search required', true],
  ],
  [
    'request-required listTemplates query kind',
    ['listTemplates parameters', and({ ...kind, required: true })],
  ],
  [
    'request-maximum listTemplates query limit',
    ['listTemplates parameters limit schema maximum', 50],
  ],
  [
    'request-default listTemplates query limit',
    ['listTemplates parameters limit schema default', 10],
  ],
  ['request-style listTemplates query search', ['listTemplates parameters search explode', true]],
  ['request-enum DeliveryStatus', ['DeliveryStatus enum', without('failed')]],
  ['request-required If-Match', ['components parameters If-Match required', true]],
  ['request-required CreateTemplate.content', ['CreateTemplate required', and('content')]],
  [
    'request-required CreateTemplate.kind',
    ['CreateTemplate properties kind', string],
    ['CreateTemplate required', and('kind')],
  ],
  [
    'request-required cancelDeliveries body',
    ['cancelDeliveries requestBody', { ...anyBody, required: true }],
  ],
  ['request-removed CreateTemplate.content', ['CreateTemplate properties content', GONE]],
  ['request-removed duplicateTemplate body', ['duplicateTemplate requestBody', GONE]],
  [
    'media-type-removed createTemplate body application/json',
    ['createTemplate requestBody content', { 'text/json': {} }],
  ],
  ['request-maxLength CreateTemplate.name', ['CreateTemplate properties name maxLength', 100]],
  [
    'request-maxLength CreateWebhook.events[]',
    ['CreateWebhook properties events items maxLength', 20],
  ],
  [
    'request-maxItems CreateWebhook.resourceIds',
    ['CreateWebhook properties resourceIds maxItems', 10],
  ],
  ['request-minimum CreateWebhook.rateLimit', ['CreateWebhook properties rateLimit minimum', 2]],
  ['request-minProperties CreateWebhook', ['CreateWebhook minProperties', 4]],
  ['request-pattern CreateTemplate.name', ['CreateTemplate properties name pattern', '^[a-z]+$']],
  ['request-format CreateTemplate.name', ['CreateTemplate properties name format', 'email']],
  ['request-type CreateWebhook.ordered', ['CreateWebhook properties ordered type', 'string']],
  ['request-type CreateWebhook.rateLimit', ['CreateWebhook properties rateLimit type', 'integer']],
  ['request-enum SubscribableKind', ['SubscribableKind enum', without('module.created')]],
  ['request-enum CreateWebhook.description', ['CreateWebhook properties description enum', ['']]],
  [
    'request-maxLength CreateWebhook.headers{}',
    ['CreateWebhook properties headers additionalProperties maxLength', 10],
  ],
  ['request-additionalProperties Styles', ['Styles additionalProperties', false]],
  // Before the edit, `lineHeight` was not described and could have any value.
  ['request-type Styles.lineHeight', ['Styles properties lineHeight', number]],

  [
    'response-removed Template.version',
    ['Template properties version', GONE],
    ['Template required', without('version')],
  ],
  ['response-removed ListedTemplate.content', ['ListedTemplate properties content', GONE]],
  [
    'response-removed AuditActor.email',
    ['AuditActor properties email', GONE],
    ['AuditActor required', without('email')],
  ],
  [
    'response-removed ApiError.message',
    ['ApiError properties message', GONE],
    ['ApiError required', without('message')],
  ],
  ['response-optional Template.version', ['Template required', without('version')]],
  ['response-type Template.name', ['Template properties name type', ['string', 'null']]],
  ['response-type Template.version', ['Template properties version type', 'number']],
  ['response-format Template.createdAt', ['Template properties createdAt format', GONE]],
  ['response-minimum Template.version', ['Template properties version minimum', 0]],
  ['response-type Webhook.headers{}', ['Webhook properties headers additionalProperties', true]],
  [
    'response-type getTemplate 200',
    ['getTemplate responses 200 content application/json schema', { type: 'array' }],
  ],
  ['response-anyOf AuditEntry.actor', ['AuditEntry properties actor anyOf', and(string)]],
  [
    'media-type-removed getTemplate 200 application/json',
    ['getTemplate responses 200 content', GONE],
  ],
  ['status-removed updateTemplate 412', ['updateTemplate responses 412', GONE]],
  ['status-removed getTemplate 304', ['getTemplate responses 304', GONE]],
  ['status-added createTemplate 202', ['createTemplate responses 202', { description: '' }]],
  [
    'response-removed getTemplate 200 header etag',
    ['getTemplate responses 200 headers ETag', GONE],
  ],
  [
    'response-removed NotFound header x-request-id',
    ['components responses NotFound headers', GONE],
  ],
  ['response-optional ETag', ['components headers ETag required', GONE]],
  ['response-pattern ETag', ['components headers ETag schema pattern', GONE]],

  [`operation-removed ${created}`, ['webhooks template.created', GONE]],
  [
    'response-removed TemplateEvent.name',
    ['TemplateEvent properties name', GONE],
    ['TemplateEvent required', without('name')],
  ],
  [
    `response-removed ${body}.timestamp`,
    [`${body} properties timestamp`, GONE],
    [`${body} required`, without('timestamp')],
  ],
  [`response-enum ${body}.event`, [`${body} properties event enum`, ['template.made']]],
  [`response-removed ${created} header webhook-id`, [`${created} parameters webhook-id`, GONE]],
  [
    `response-optional ${created} header webhook-id`,
    [`${created} parameters webhook-id required`, false],
  ],
  [
    `response-pattern ${created} header webhook-signature`,
    [`${created} parameters webhook-signature schema pattern`, '^v2'],
  ],
  [`status-removed ${created} 410`, [`${created} responses 410`, GONE]],
];

export const harmless: [what: string, ...edits: Edit[]][] = [
  ['a new operation', ['paths /api/news', { get: { operationId: 'getNews', responses: {} } }]],
  ['an operation that no longer needs a token', ['getTemplate security', []]],
  ['a deprecated operation', ['getTemplate deprecated', true]],
  ['a deprecated parameter', ['listTemplates parameters search deprecated', true]],
  ['a deprecated field', ['Template properties version deprecated', true]],
  [
    'another description',
    ['getTemplate description', 'New.'],
    ['Template properties name description', 'New.'],
  ],
  ['other examples', ['createTemplate requestBody content application/json example', 1]],
  ['another version', ['info version', '2.0.0']],
  ['a new optional parameter', ['listTemplates parameters', and(kind)]],
  ['a new optional body', ['cancelDeliveries requestBody', anyBody]],
  ['a new optional field in requests', ['CreateTemplate properties kind', string]],
  ['a field that may be left out in requests', ['CreateTemplate required', without('name')]],
  ['a higher limit in requests', ['CreateTemplate properties name maxLength', 500]],
  ['no limit in requests', ['CreateTemplate properties name maxLength', GONE]],
  ['null in requests', ['CreateWebhook properties ordered type', ['boolean', 'null']]],
  ['all numbers in requests', ['CreateWebhook properties rateLimit type', ['number', 'null']]],
  ['a new value in requests', ['SubscribableKind enum', and('module.archived')]],
  ['a new optional field in responses', ['Template properties kind', string]],
  [
    'a new field in responses',
    ['Template properties kind', string],
    ['Template required', and('kind')],
  ],
  ['a new value in responses', ['WebhookStatus enum', and('paused')]],
  ['no null in responses', ['Webhook properties statusReason type', 'string']],
  ['a field that is always in responses', ['ListedTemplate required', and('content')]],
  ['another error', ['getTemplate responses 418', { description: '' }]],
  ['a new header in responses', ['getTemplate responses 200 headers x-new', { schema: string }]],
  [
    'a new event kind',
    [
      'webhooks template.archived',
      { post: { operationId: 'receive.template.archived', responses: {} } },
    ],
  ],
  [
    'a new field in notifications',
    ['TemplateEvent properties kind', string],
    ['TemplateEvent required', and('kind')],
  ],
  [
    'a new header in notifications',
    [`${created} parameters`, and({ ...kind, in: 'header', required: true })],
  ],
];
