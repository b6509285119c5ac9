import type { ApiResponse } from './api-response.js';
import type { Client } from './client.js';

/** Each kind may do everything that the kinds before it may. */
export const callerKinds = ['nobody', 'outsider', 'viewer', 'editor', 'admin', 'owner'] as const;
export type CallerKind = (typeof callerKinds)[number];

interface Request {
  /** `METHOD path`. `:name` stands for an id, also in the body. */
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
const usersOnly = ['POST /api/workspaces'];
// Repeating these requests has the same effect as sending them once; the provider's messages have ids of
// their own.
const naturallyIdempotent = [
  'POST /api/auth/webhook',
  'POST /api/webhooks/:webhook/disable',
  'POST /api/webhooks/:webhook/enable',
  'POST /api/webhooks/:webhook/deliveries/cancel',
  'POST /api/webhooks/:webhook/deliveries/retry',
  'POST /api/webhooks/:webhook/deliveries/:delivery/cancel',
  'POST /api/webhooks/:webhook/replays/:replay/cancel',
];

// The permissions of each role are repeated here on purpose and not read from the service: this table
// defines what the roles mean. A new route that needs no token requires a reason.
const rows: Row[] = [
  ['GET /health/live', 'nobody', 200],
  ['GET /health/ready', 'nobody', 200],
  // A signature authenticates the provider; without a configured secret there is nothing to check.
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
  ['GET /api/templates?workspaceId=:workspace', 'viewer', 200],
  ['POST /api/templates', 'editor', 201, { name: 'A', workspaceId }],
  ['POST /api/templates/batch', 'editor', 200, { workspaceId, operations: templateBatch }],
  ['GET /api/templates/:template', 'viewer', 200],
  ['PUT /api/templates/:template', 'editor', 200, { name: 'B' }],
  ['DELETE /api/templates/:template', 'editor', 204],
  ['POST /api/templates/:template/duplicate', 'editor', 201],
  ['GET /api/templates/:template/versions', 'viewer', 200],
  ['GET /api/templates/:template/versions/:version', 'viewer', 200],
  ['POST /api/templates/:template/versions/:version/restore', 'editor', 200],
  ['GET /api/modules?workspaceId=:workspace', 'viewer', 200],
  ['POST /api/modules', 'editor', 201, { name: 'A', workspaceId, content: {} }],
  ['POST /api/modules/batch', 'editor', 200, { workspaceId, operations: moduleBatch }],
  ['GET /api/modules/:module', 'viewer', 200],
  ['PUT /api/modules/:module', 'editor', 200, { description: 'B' }],
  ['DELETE /api/modules/:module', 'editor', 204],
  ['POST /api/modules/:module/duplicate', 'editor', 201],
  ['GET /api/webhooks?workspaceId=:workspace', 'admin', 200],
  ['POST /api/webhooks', 'admin', 201, webhook],
  ['GET /api/webhooks/:webhook', 'admin', 200],
  ['PUT /api/webhooks/:webhook', 'admin', 200, { status: 'disabled' }],
  ['DELETE /api/webhooks/:webhook', 'admin', 204],
  ['POST /api/webhooks/:webhook/disable', 'admin', 200],
  ['POST /api/webhooks/:webhook/enable', 'admin', 200, {}],
  ['POST /api/webhooks/:webhook/test', 'admin', 202],
  ['GET /api/webhooks/:webhook/transitions', 'admin', 200],
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
  idempotent: route.startsWith('POST ') && !naturallyIdempotent.includes(route),
}));

/**
 * A route without its query and without the names of its ids, to match the table with the service's routes.
 */
export const shapeOf = (route: string): string => route.replace(/\?.*/, '').replace(/:\w+/g, ':');

/** Whether the route reads and changes nothing, except for the audit entry of a shown secret. */
export const isRead = ({ route }: Route): boolean => /^(GET|HEAD) /.test(route);

const NAME = /:([a-z]+)/g;

/** All strings in a body. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : Object.values((value ?? {}) as Record<string, unknown>).flatMap(textsIn);

/** The names of the ids that a route takes; the id of the requested resource comes first. */
export const namesIn = ({ route, body = {} }: Route): string[] => {
  const texts = [route, ...textsIn(body)];
  return [...new Set(Array.from(texts.join(' ').matchAll(NAME), ([, name = '']) => name))];
};

export type Ids = Readonly<Record<string, string>>;

export function callRoute<Body>(
  client: Client,
  { route, body }: Request,
  ids: Ids,
): Promise<ApiResponse<Body>> {
  const fill = (text: string) => text.replace(NAME, (whole, name: string) => ids[name] ?? whole);
  const [method = '', path = ''] = fill(route).split(' ');
  return client.send(method, path, body && JSON.parse(fill(JSON.stringify(body))));
}
