import type { ApiResponse } from './api-response.js';
import { pictureForm } from '../pictures.js';
import type { Client } from './client.js';

/** Each kind may do everything that the kinds before it may. */
export const callerKinds = ['nobody', 'outsider', 'viewer', 'editor', 'admin', 'owner'] as const;
export type CallerKind = (typeof callerKinds)[number];

interface Request {
  /** `METHOD path`. In the path and in the body, `:name` stands for an id, and `:Language` for a language. */
  route: string;
  body?: Record<string, unknown> | undefined;
}

export interface Route extends Request {
  leastRole: CallerKind;
  /** The status for callers that are allowed. */
  status: number;
  /** Whether an API key with a sufficient role may call the route. */
  forKeys: boolean;
  /** Whether the route accepts an `Idempotency-Key`. */
  idempotent: boolean;
}

type Row = [route: string, leastRole: CallerKind, status: number, body?: Record<string, unknown>];

const workspaceId = ':workspace';
const templateBatch = [
  { action: 'create', name: 'A' },
  { action: 'update', id: ':template', name: 'B' },
];
const moduleBatch = [
  { action: 'create', name: 'A', content: {} },
  { action: 'delete', id: ':module' },
];
const webhook = { workspaceId, url: 'https://example.com', events: ['module.created'] };
const byExternalId = 'by-external-id/:external?workspaceId=:workspace';
// A file without texts changes nothing.
const translations = { format: 'csv', content: 'id,source,text' };
const translationsOf = (path: string): Row[] => [
  [`GET /api/${path}/translations`, 'viewer', 200],
  [`GET /api/${path}/translations/:Language`, 'viewer', 200],
  [`GET /api/${path}/translations/:Language/xliff`, 'viewer', 200],
  [`GET /api/${path}/translations/:Language/csv`, 'viewer', 200],
  [`PUT /api/${path}/translations/:Language`, 'editor', 200, translations],
];
// A fixed range, so that the response is the same at any time.
const statisticsRange = 'from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z';
const usersOnly = ['POST /api/workspaces'];
// Their bodies are forms with a file.
const uploads = ['POST /api/assets?workspaceId=:workspace', 'PUT /api/assets/:asset/content'];
// These requests need no `Idempotency-Key`: repeating such a request has the same effect as sending it once.
// Galley recognises a repeated message of the identity provider by the message's own id. Only `test-send` has an effect
// each time: an SMTP server cannot take part in the transaction that stores the response for a key.
const withoutKeys = [
  'POST /api/assets?workspaceId=:workspace',
  'POST /api/auth/webhook',
  'POST /api/check',
  'POST /api/imports',
  'POST /api/render',
  'POST /api/templates/:template/check',
  'POST /api/templates/:template/render',
  'POST /api/templates/:template/test-send',
  'POST /api/webhooks/:webhook/disable',
  'POST /api/webhooks/:webhook/enable',
  'POST /api/webhooks/:webhook/deliveries/cancel',
  'POST /api/webhooks/:webhook/deliveries/retry',
  'POST /api/webhooks/:webhook/deliveries/:delivery/cancel',
  'POST /api/webhooks/:webhook/replays/:replay/cancel',
  'POST /api/modules/:module/usage-updates/:update/cancel',
];

// This table repeats the permissions of each role on purpose: it defines what the roles mean, so it must not
// read the permissions from the code under test. A new route for `nobody` needs a comment with the reason.
const rows: Row[] = [
  ['GET /health/live', 'nobody', 200],
  ['GET /health/ready', 'nobody', 200],
  // The identity provider has no token: it signs its messages. Without a configured secret, the route
  // responds with 404.
  ['POST /api/auth/webhook', 'nobody', 404, {}],
  ['GET /api/auth/me', 'outsider', 200],
  ['GET /api/workspaces', 'outsider', 200],
  ['POST /api/workspaces', 'outsider', 201, { name: 'Mine' }],
  ['GET /api/workspaces/:workspace', 'viewer', 200],
  ['PUT /api/workspaces/:workspace', 'owner', 200, { name: 'Renamed' }],
  ['DELETE /api/workspaces/:workspace', 'owner', 204],
  ['GET /api/workspaces/:workspace/members', 'viewer', 200],
  ['POST /api/workspaces/:workspace/members', 'admin', 201, { userId: ':newcomer', role: 'admin' }],
  ['PUT /api/workspaces/:workspace/members/:member', 'admin', 200, { role: 'editor' }],
  ['DELETE /api/workspaces/:workspace/members/:member', 'admin', 204],
  ['GET /api/workspaces/:workspace/keys', 'admin', 200],
  ['POST /api/workspaces/:workspace/keys', 'admin', 201, { name: 'Shop', role: 'viewer' }],
  ['DELETE /api/workspaces/:workspace/keys/:key', 'admin', 204],
  ['GET /api/workspaces/:workspace/audit', 'admin', 200],
  ['GET /api/workspaces/:workspace/environments', 'viewer', 200],
  ['POST /api/workspaces/:workspace/environments', 'admin', 201, { name: 'preview' }],
  ['DELETE /api/workspaces/:workspace/environments/:environment?force=true', 'admin', 204],
  ['GET /api/workspaces/:workspace/check-settings', 'viewer', 200],
  ['PUT /api/workspaces/:workspace/check-settings', 'admin', 200, { errorsBlockPublishing: false }],
  ['GET /api/workspaces/:workspace/publications/scheduled', 'viewer', 200],
  ['POST /api/workspaces/:workspace/publish', 'editor', 200, { templates: [{ id: ':template' }] }],
  ['GET /api/templates?workspaceId=:workspace', 'viewer', 200],
  ['POST /api/templates', 'editor', 201, { name: 'A', workspaceId }],
  ['POST /api/templates/batch', 'editor', 200, { workspaceId, operations: templateBatch }],
  ['GET /api/templates/:template', 'viewer', 200],
  ['PUT /api/templates/:template', 'editor', 200, { name: 'B' }],
  [`GET /api/templates/${byExternalId}`, 'viewer', 200],
  [`PUT /api/templates/${byExternalId}`, 'editor', 201, { name: 'B' }],
  ['DELETE /api/templates/:template', 'editor', 204],
  ['POST /api/templates/:template/duplicate', 'editor', 201],
  ['GET /api/templates/:template/compare?from=1&to=latest', 'viewer', 200],
  ['GET /api/templates/:template/versions', 'viewer', 200],
  ['GET /api/templates/:template/versions/:version', 'viewer', 200],
  ['PATCH /api/templates/:template/versions/:version', 'editor', 200, { label: 'approved' }],
  ['POST /api/templates/:template/versions/:version/restore', 'editor', 200],
  ['POST /api/templates/:template/publish', 'editor', 200, { version: 1 }],
  ['POST /api/templates/:template/unpublish', 'editor', 200, { environment: ':environment' }],
  ['GET /api/templates/:template/published?environment=:environment', 'viewer', 200],
  ['POST /api/templates/:template/render', 'viewer', 200],
  ['GET /api/templates/:template/versions/:version/html', 'viewer', 200],
  ['GET /api/templates/:template/versions/:version/types', 'viewer', 200],
  ['POST /api/render', 'outsider', 200, { content: { stripes: [] } }],
  ['POST /api/templates/:template/check', 'viewer', 200],
  ['POST /api/check', 'outsider', 200, { content: { stripes: [] } }],
  ['POST /api/imports', 'outsider', 200, { format: 'html', content: '<p>Hello</p>' }],
  ...translationsOf('templates/:template'),
  ['POST /api/templates/:template/test-send', 'editor', 200, { to: 'reviews@example.com' }],
  ['GET /api/templates/:template/publications', 'viewer', 200],
  ['GET /api/templates/:template/publications/scheduled', 'viewer', 200],
  ['DELETE /api/templates/:template/publications/scheduled/:publication', 'editor', 204],
  ['GET /api/modules?workspaceId=:workspace', 'viewer', 200],
  ['POST /api/modules', 'editor', 201, { name: 'A', workspaceId, content: {} }],
  ['POST /api/modules/batch?force=true', 'editor', 200, { workspaceId, operations: moduleBatch }],
  ['GET /api/modules/:module', 'viewer', 200],
  ['PUT /api/modules/:module', 'editor', 200, { description: 'B' }],
  [`GET /api/modules/${byExternalId}`, 'viewer', 200],
  [`PUT /api/modules/${byExternalId}`, 'editor', 201, { name: 'B', content: {} }],
  ['DELETE /api/modules/:module?force=true', 'editor', 204],
  ['POST /api/modules/:module/duplicate', 'editor', 201],
  ['GET /api/modules/:module/usages', 'viewer', 200],
  ['POST /api/modules/:module/update-usages', 'editor', 202, { toVersion: 1, all: true }],
  ['GET /api/modules/:module/usage-updates', 'viewer', 200],
  ['POST /api/modules/:module/usage-updates/:update/cancel', 'editor', 200],
  ['GET /api/modules/:module/compare?from=1&to=latest', 'viewer', 200],
  ['GET /api/modules/:module/versions', 'viewer', 200],
  ['GET /api/modules/:module/versions/:version', 'viewer', 200],
  ['PATCH /api/modules/:module/versions/:version', 'editor', 200, { label: 'approved' }],
  ['POST /api/modules/:module/versions/:version/restore', 'editor', 200],
  ...translationsOf('modules/:module'),
  ['GET /api/search?workspaceId=:workspace&query=the', 'viewer', 200],
  ['GET /api/tags?workspaceId=:workspace', 'viewer', 200],
  ['POST /api/tags/rename', 'editor', 200, { workspaceId, name: 'sale', newName: 'offer' }],
  ['POST /api/tags/remove', 'editor', 200, { workspaceId, name: 'sale' }],
  ['GET /api/trash?workspaceId=:workspace', 'viewer', 200],
  ['POST /api/trash/:trashed/restore', 'editor', 200],
  ['DELETE /api/trash/:trashed', 'admin', 204],
  ['GET /api/assets?workspaceId=:workspace', 'viewer', 200],
  ['POST /api/assets?workspaceId=:workspace', 'editor', 201, { name: 'A' }],
  ['GET /api/assets/:asset', 'viewer', 200],
  ['PATCH /api/assets/:asset', 'editor', 200, { name: 'B' }],
  ['PUT /api/assets/:asset/content', 'editor', 200, {}],
  ['DELETE /api/assets/:asset', 'editor', 204],
  ['POST /api/assets/:discarded/restore', 'editor', 200],
  ['GET /api/assets/:asset/usages', 'viewer', 200],
  ['GET /api/workspaces/:workspace/storage-usage', 'viewer', 200],
  ['GET /api/webhooks?workspaceId=:workspace', 'admin', 200],
  ['POST /api/webhooks', 'admin', 201, webhook],
  ['GET /api/webhooks/:webhook', 'admin', 200],
  ['PUT /api/webhooks/:webhook', 'admin', 200, { status: 'disabled' }],
  ['DELETE /api/webhooks/:webhook', 'admin', 204],
  ['POST /api/webhooks/:webhook/disable', 'admin', 200],
  ['POST /api/webhooks/:webhook/enable', 'admin', 200, {}],
  ['POST /api/webhooks/:webhook/test', 'admin', 202],
  ['GET /api/webhooks/:webhook/transitions', 'admin', 200],
  ['GET /api/webhooks/:webhook/health', 'admin', 200],
  [`GET /api/webhooks/:webhook/stats?${statisticsRange}`, 'admin', 200],
  [`GET /api/webhooks/stats?workspaceId=:workspace&${statisticsRange}`, 'admin', 200],
  ['GET /api/webhooks/:webhook/secret', 'admin', 200],
  ['POST /api/webhooks/:webhook/secret/rotate', 'admin', 200, {}],
  ['GET /api/webhooks/:webhook/deliveries', 'admin', 200],
  ['POST /api/webhooks/:webhook/deliveries/cancel', 'admin', 200],
  ['POST /api/webhooks/:webhook/deliveries/retry', 'admin', 202],
  ['GET /api/webhooks/:webhook/deliveries/:delivery', 'admin', 200],
  ['POST /api/webhooks/:webhook/deliveries/:delivery/retry', 'admin', 202],
  ['POST /api/webhooks/:webhook/deliveries/:delivery/cancel', 'admin', 204],
  ['GET /api/webhooks/:webhook/replays', 'admin', 200],
  ['POST /api/webhooks/:webhook/replays', 'admin', 202, { since: '2026-01-01T00:00:00Z' }],
  ['POST /api/webhooks/:webhook/replays/:replay/cancel', 'admin', 200],
  ['GET /api/events?workspaceId=:workspace', 'viewer', 200],
];

export const routes: Route[] = rows.map(([route, leastRole, status, body]) => ({
  route,
  leastRole,
  status,
  body,
  forKeys: !usersOnly.includes(route),
  idempotent: route.startsWith('POST ') && !withoutKeys.includes(route),
}));

/**
 * A route without its query and without the names of its ids, to compare the table with the API's routes.
 */
export const shapeOf = (route: string): string => route.replace(/\?.*/, '').replace(/:\w+/g, ':');

/** Whether the route only reads. Reading a webhook's secret still adds an audit entry. */
export const isRead = ({ route }: Route): boolean => /^(GET|HEAD) /.test(route);

/** Whether the route creates the resource if the last id in the path is unknown. */
export const createsUnknown = ({ route }: Route): boolean => /^PUT .*\/:external\b/.test(route);

const NAME = /:([a-z]+)/g;

/** All strings in a body. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : Object.values((value ?? {}) as Record<string, unknown>).flatMap(textsIn);

/** The names of the ids in a route; the id of the requested resource comes first. */
export const namesIn = ({ route, body = {} }: Route): string[] => {
  const texts = [route, ...textsIn(body)];
  const names = new Set(Array.from(texts.join(' ').matchAll(NAME), ([, name = '']) => name));
  // An external id belongs to a workspace, so the workspace is the first resource that Galley looks for.
  return [...names].sort((one, other) => Number(one === 'external') - Number(other === 'external'));
};

export type Ids = Readonly<Record<string, string>>;

export function callRoute<Body>(
  client: Client,
  { route, body }: Request,
  ids: Ids,
): Promise<ApiResponse<Body>> {
  const fill = (text: string) =>
    text.replace(':Language', 'pt').replace(NAME, (whole, name: string) => ids[name] ?? whole);
  const [method = '', path = ''] = fill(route).split(' ');
  const filled = body && (JSON.parse(fill(JSON.stringify(body))) as Record<string, string>);
  return uploads.includes(route)
    ? client.raw(method, path, pictureForm(filled))
    : client.send(method, path, filled);
}
