import { EXAMPLE_URL, exampleIds as ids, requestExamples as requests } from './examples.js';

const at = (minute: string) => `2026-11-21T09:${minute}:00.000Z`;
const page = (...data: object[]) => ({ data, nextCursor: null });
const syncPage = (...data: object[]) => ({ ...page(...data), syncCursor: null });
const { workspace: workspaceId } = ids;

const workspace = { id: workspaceId, name: 'Kitchen', createdAt: at('30'), updatedAt: at('30') };
const ada = { userId: ids.user, email: 'ada@example.com', firstName: '', lastName: '' };
const grace = { userId: ids.colleague, email: 'grace@example.com', firstName: '', lastName: '' };
const member = { status: 'active', createdAt: at('31'), updatedAt: at('31') };

const template = {
  ...{ id: ids.template, ...requests['createTemplate'], version: 1 },
  createdAt: at('32'),
  updatedAt: at('32'),
};
const { content, ...summary } = template as typeof template & { content?: object };
const createdBy = ids.user;
const versions = [
  { version: 2, name: 'Welcome aboard', createdAt: at('33'), createdBy },
  { version: 1, name: 'Welcome', createdAt: at('32'), createdBy },
];
const module = {
  ...{ id: ids.module, ...requests['createModule'] },
  createdAt: at('34'),
  updatedAt: at('34'),
};
const updatedModule = { ...module, description: 'The way out.', updatedAt: at('35') };

const webhook = {
  ...{
    id: ids.webhook,
    workspaceId,
    url: EXAMPLE_URL,
    events: ['template.created', 'template.updated'],
  },
  resourceIds: null,
  description: 'Search index',
  headers: { 'x-tenant': '********' },
  rateLimit: null,
  ordered: false,
  status: 'active',
  statusReason: null,
  statusSince: at('36'),
  createdAt: at('36'),
  updatedAt: at('36'),
};
const updatedWebhook = {
  ...{ ...webhook, events: ['template.created', 'template.updated', 'template.deleted'] },
  updatedAt: at('37'),
};
const secret = `whsec_${'example'.repeat(6)}0=`;
const disabled = 'A member of the workspace has disabled it.';
const enabled = 'A member of the workspace has enabled it.';

const event = {
  event: 'template.created',
  resourceId: ids.template,
  sequence: 1,
  data: { id: ids.template, name: 'Welcome', workspaceId, version: 1 },
  timestamp: at('32'),
};
const outcome = {
  startedAt: at('32'),
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
  createdAt: at('32'),
  nextAttemptAt: null,
  finishedAt: at('32'),
  lastAttempt: outcome,
};
const attempt = {
  ...outcome,
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
  createdAt: at('38'),
  finishedAt: null,
};

const key = {
  ...{ id: ids.key, userId: ids.keyUser, ...requests['createKey'], prefix: 'glk_exampl' },
  lastUsedAt: null,
  createdBy,
  createdAt: at('40'),
};
const entry = {
  id: ids.entry,
  occurredAt: at('30'),
  action: 'workspace.created',
  address: '127.0.0.1',
  targetId: workspaceId,
  details: { name: 'Kitchen' },
  actor: { userId: ids.user, kind: 'person', email: 'ada@example.com', name: '' },
};

/** What is answered to the examples of requests, by `operationId`. */
export const answerExamples: Record<string, object> = {
  getLiveness: { status: 'ok' },
  getReadiness: { status: 'ok' },
  getCurrentUser: {
    user: { id: ids.user, email: 'ada@example.com', firstName: '', lastName: '' },
  },
  createWorkspace: workspace,
  listWorkspaces: page(workspace),
  getWorkspace: workspace,
  renameWorkspace: { ...workspace, name: 'Test kitchen', updatedAt: at('31') },
  addMember: { ...grace, role: 'viewer', ...member },
  changeMemberRole: { ...grace, role: 'editor', ...member },
  listMembers: page({ ...grace, role: 'editor', ...member }, { ...ada, role: 'owner', ...member }),
  createWebhook: { ...webhook, secret },
  getWebhook: webhook,
  updateWebhook: updatedWebhook,
  listWebhooks: page(updatedWebhook),
  createTemplate: template,
  getTemplate: template,
  listDeliveries: page(delivery),
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
  listReplays: { data: [{ ...replay, status: 'done', done: 1, finishedAt: at('39') }] },
  readEvents: { data: [{ position: 1, id: ids.event, ...event }], nextAfter: 1 },
  updateTemplate: { ...template, name: 'Welcome aboard', version: 2, updatedAt: at('33') },
  listTemplateVersions: page(...versions),
  getTemplateVersion: { ...versions[1], content },
  restoreTemplateVersion: { ...template, version: 3, updatedAt: at('34') },
  listTemplates: syncPage({ ...template, version: 3, updatedAt: at('34') }),
  duplicateTemplate: { ...template, id: ids.templateCopy, name: 'Welcome back' },
  batchTemplates: {
    data: [
      { action: 'create', template: { ...summary, id: ids.batched, name: 'Goodbye', version: 1 } },
      { action: 'update', template: { ...summary, version: 3 } },
      { action: 'delete', id: ids.templateCopy },
    ],
  },
  createModule: module,
  getModule: module,
  updateModule: updatedModule,
  listModules: syncPage(updatedModule),
  duplicateModule: { ...updatedModule, id: ids.moduleCopy, name: 'Footer (copy)' },
  batchModules: { data: [{ action: 'delete', id: ids.moduleCopy }] },
  getWebhookSecret: { secret },
  rotateWebhookSecret: { secret },
  testWebhook: {
    id: ids.test,
    eventId: ids.test,
    event: 'webhook.test',
    resourceId: ids.webhook,
    sequence: 1,
    status: 'pending',
    attempts: 0,
    createdAt: at('37'),
    nextAttemptAt: at('37'),
    finishedAt: null,
    lastAttempt: null,
  },
  disableWebhook: { ...updatedWebhook, status: 'disabled', statusReason: disabled },
  enableWebhook: { ...updatedWebhook, statusReason: enabled },
  listWebhookTransitions: {
    data: [
      { sequence: 3, status: 'active', reason: enabled, at: at('39') },
      { sequence: 2, status: 'disabled', reason: disabled, at: at('38') },
    ],
  },
  cancelDeliveries: { cancelled: 0 },
  retryDeliveries: { retried: 0 },
  createKey: { ...key, key: `glk_${'example'.repeat(6)}0` },
  listKeys: page(key),
  listAuditEntries: page(entry),
};
