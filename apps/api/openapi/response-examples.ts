import { EXAMPLE_URL, exampleIds as ids, requestExamples as requests } from './request-examples.js';

const timeAt = (minute: string) => `2026-11-21T09:${minute}:00.000Z`;
const pageOf = (...data: object[]) => ({ data, nextCursor: null });
const syncPageOf = (...data: object[]) => ({ ...pageOf(...data), syncCursor: null });
const { workspace: workspaceId } = ids;

const workspace = {
  id: workspaceId,
  name: 'Kitchen',
  createdAt: timeAt('30'),
  updatedAt: timeAt('30'),
};
const ada = { userId: ids.user, email: 'ada@example.com', firstName: '', lastName: '' };
const grace = { userId: ids.colleague, email: 'grace@example.com', firstName: '', lastName: '' };
const membership = { status: 'active', createdAt: timeAt('31'), updatedAt: timeAt('31') };

const template = {
  id: ids.template,
  ...requests['createTemplate'],
  version: 1,
  createdAt: timeAt('32'),
  updatedAt: timeAt('32'),
};
const { content, ...templateSummary } = template as typeof template & { content?: object };
const createdBy = ids.user;
const versions = [
  { version: 2, name: 'Welcome aboard', createdAt: timeAt('33'), createdBy },
  { version: 1, name: 'Welcome', createdAt: timeAt('32'), createdBy },
];
const module = {
  id: ids.module,
  ...requests['createModule'],
  createdAt: timeAt('34'),
  updatedAt: timeAt('34'),
};
const updatedModule = { ...module, description: 'The way out.', updatedAt: timeAt('35') };

const webhook = {
  id: ids.webhook,
  workspaceId,
  url: EXAMPLE_URL,
  events: ['template.created', 'template.updated'],
  resourceIds: null,
  description: 'Search index',
  headers: { 'x-tenant': '********' },
  rateLimit: null,
  ordered: false,
  status: 'active',
  statusReason: null,
  statusSince: timeAt('36'),
  createdAt: timeAt('36'),
  updatedAt: timeAt('36'),
};
const updatedWebhook = {
  ...webhook,
  events: ['template.created', 'template.updated', 'template.deleted'],
  updatedAt: timeAt('37'),
};
const secret = `whsec_${'example'.repeat(6)}0=`;
const disabledReason = 'A member of the workspace has disabled it.';
const enabledReason = 'A member of the workspace has enabled it.';

const event = {
  event: 'template.created',
  resourceId: ids.template,
  sequence: 1,
  data: { id: ids.template, name: 'Welcome', workspaceId, version: 1 },
  timestamp: timeAt('32'),
};
const attemptSummary = {
  startedAt: timeAt('32'),
  durationMs: 27,
  statusCode: 204,
  stage: null,
  error: null,
};
const delivery = {
  id: ids.delivery,
  eventId: ids.event,
  event: event.event,
  resourceId: ids.template,
  sequence: 1,
  status: 'delivered',
  attempts: 1,
  createdAt: timeAt('32'),
  nextAttemptAt: null,
  finishedAt: timeAt('32'),
  lastAttempt: attemptSummary,
};
const attempt = {
  ...attemptSummary,
  url: EXAMPLE_URL,
  requestHeaders: {
    'user-agent': 'Galley/0.1.0',
    'content-type': 'application/json',
    'webhook-id': ids.event,
    'webhook-timestamp': '1795253520',
    'webhook-signature': `v1,${'example'.repeat(6)}0=`,
    'x-service-signature': `t=1795253520,v1=${'0123456789abcdef'.repeat(4)}`,
    'x-service-sequence': '1',
    'x-tenant': '********',
  },
  responseHeaders: {
    date: 'Sat, 21 Nov 2026 09:32:00 GMT',
    connection: 'keep-alive',
    'keep-alive': 'timeout=5',
  },
  responseBody: '',
};
const replay = {
  id: ids.replay,
  status: 'running',
  total: 1,
  done: 0,
  createdAt: timeAt('38'),
  finishedAt: null,
};

const apiKey = {
  id: ids.apiKey,
  userId: ids.apiKeyUser,
  ...requests['createKey'],
  prefix: 'glk_exampl',
  lastUsedAt: null,
  createdBy,
  createdAt: timeAt('40'),
};
const auditEntry = {
  id: ids.auditEntry,
  occurredAt: timeAt('30'),
  action: 'workspace.created',
  address: '127.0.0.1',
  targetId: workspaceId,
  details: { name: 'Kitchen' },
  actor: { userId: ids.user, kind: 'person', email: 'ada@example.com', name: '' },
};

/** The response to the example request of each operation, by `operationId`. */
export const responseExamples: Record<string, object> = {
  getLiveness: { status: 'ok' },
  getReadiness: { status: 'ok' },
  getCurrentUser: {
    user: { id: ids.user, email: 'ada@example.com', firstName: '', lastName: '' },
  },
  createWorkspace: workspace,
  listWorkspaces: pageOf(workspace),
  getWorkspace: workspace,
  renameWorkspace: { ...workspace, name: 'Test kitchen', updatedAt: timeAt('31') },
  addMember: { ...grace, role: 'viewer', ...membership },
  changeMemberRole: { ...grace, role: 'editor', ...membership },
  listMembers: pageOf(
    { ...grace, role: 'editor', ...membership },
    { ...ada, role: 'owner', ...membership },
  ),
  createWebhook: { ...webhook, secret },
  getWebhook: webhook,
  updateWebhook: updatedWebhook,
  listWebhooks: pageOf(updatedWebhook),
  createTemplate: template,
  getTemplate: template,
  listDeliveries: pageOf(delivery),
  getDelivery: {
    ...delivery,
    url: EXAMPLE_URL,
    attemptsMade: [attempt],
    requestBody: JSON.stringify({
      event: event.event,
      timestamp: event.timestamp,
      data: event.data,
    }),
  },
  startReplay: replay,
  listReplays: { data: [{ ...replay, status: 'done', done: 1, finishedAt: timeAt('39') }] },
  readEvents: { data: [{ position: 1, id: ids.event, ...event }], nextAfter: 1 },
  updateTemplate: { ...template, name: 'Welcome aboard', version: 2, updatedAt: timeAt('33') },
  listTemplateVersions: pageOf(...versions),
  getTemplateVersion: { ...versions[1], content },
  restoreTemplateVersion: { ...template, version: 3, updatedAt: timeAt('34') },
  listTemplates: syncPageOf({ ...template, version: 3, updatedAt: timeAt('34') }),
  duplicateTemplate: { ...template, id: ids.templateCopy, name: 'Welcome back' },
  batchTemplates: {
    data: [
      {
        action: 'create',
        template: { ...templateSummary, id: ids.batchedTemplate, name: 'Goodbye', version: 1 },
      },
      { action: 'update', template: { ...templateSummary, version: 3 } },
      { action: 'delete', id: ids.templateCopy },
    ],
  },
  createModule: module,
  getModule: module,
  updateModule: updatedModule,
  listModules: syncPageOf(updatedModule),
  duplicateModule: { ...updatedModule, id: ids.moduleCopy, name: 'Footer (copy)' },
  batchModules: { data: [{ action: 'delete', id: ids.moduleCopy }] },
  getWebhookSecret: { secret },
  rotateWebhookSecret: { secret },
  testWebhook: {
    id: ids.testDelivery,
    eventId: ids.testDelivery,
    event: 'webhook.test',
    resourceId: ids.webhook,
    sequence: 1,
    status: 'pending',
    attempts: 0,
    createdAt: timeAt('37'),
    nextAttemptAt: timeAt('37'),
    finishedAt: null,
    lastAttempt: null,
  },
  disableWebhook: { ...updatedWebhook, status: 'disabled', statusReason: disabledReason },
  enableWebhook: { ...updatedWebhook, statusReason: enabledReason },
  listWebhookTransitions: {
    data: [
      { sequence: 3, status: 'active', reason: enabledReason, at: timeAt('39') },
      { sequence: 2, status: 'disabled', reason: disabledReason, at: timeAt('38') },
    ],
  },
  cancelDeliveries: { cancelled: 0 },
  retryDeliveries: { retried: 0 },
  createKey: { ...apiKey, key: `glk_${'example'.repeat(6)}0` },
  listKeys: pageOf(apiKey),
  listAuditEntries: pageOf(auditEntry),
};
