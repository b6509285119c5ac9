import { version } from '#config';
import { EXAMPLE_URL, exampleIds as ids } from './request-examples.js';
import { pageOf, timeAt } from './values.js';

const { workspace: workspaceId } = ids;

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
const disabledReason = 'A member of the workspace disabled the webhook.';
const enabledReason = 'A member of the workspace enabled the webhook.';

const event = {
  event: 'template.created',
  resourceId: ids.template,
  sequence: 1,
  data: { id: ids.template, name: 'Welcome', workspaceId, externalId: 'welcome', version: 1 },
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
    'user-agent': `Galley/${version}+840479ac12`,
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

const statisticsTotals = { attempts: 1, delivered: 1, failed: 0, retried: 0, p50: 23, p95: 31 };
const statistics = {
  from: '2026-11-21T00:00:00.000Z',
  to: '2026-11-22T00:00:00.000Z',
  step: '1d',
  data: [{ at: '2026-11-21T00:00:00.000Z', ...statisticsTotals }],
  totals: statisticsTotals,
};

/** The responses about webhooks, deliveries and events, by `operationId`. */
export const webhookExamples: Record<string, object> = {
  createWebhook: { ...webhook, secret },
  getWebhook: webhook,
  updateWebhook: updatedWebhook,
  listWebhooks: pageOf(updatedWebhook),
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
  getWebhookStats: statistics,
  getWorkspaceWebhookStats: statistics,
  getWebhookHealth: {
    health: 'healthy',
    consecutiveFailures: 0,
    failingSince: null,
    pausedUntil: null,
    pauseReason: null,
    inFlight: 0,
    concurrency: 2,
    pending: 0,
    held: 0,
    nextAttemptAt: null,
    lastFailure: null,
  },
  startReplay: replay,
  listReplays: { data: [{ ...replay, status: 'done', done: 1, finishedAt: timeAt('39') }] },
  readEvents: { data: [{ position: 1, id: ids.event, ...event }], nextAfter: 1 },
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
};
