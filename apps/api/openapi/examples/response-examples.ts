import { version } from '#config';
import { assetExamples } from './asset-examples.js';
import { checkingExamples } from './checking-examples.js';
import { importExamples } from './import-examples.js';
import { comparisonExamples } from './comparison-examples.js';
import { documentExamples } from './document-examples.js';
import { exampleIds as ids, requestExamples as requests } from './request-examples.js';
import { publishingExamples } from './publishing-examples.js';
import { renderingExamples } from './rendering-examples.js';
import { trashExamples } from './trash-examples.js';
import { translationExamples } from './translation-examples.js';
import { pageOf, timeAt } from './values.js';
import { webhookExamples } from './webhook-examples.js';

const { workspace: workspaceId } = ids;

const workspace = {
  id: workspaceId,
  name: 'Kitchen',
  role: 'owner',
  createdAt: timeAt('30'),
  updatedAt: timeAt('30'),
};
const ada = { userId: ids.user, email: 'ada@example.com', firstName: '', lastName: '' };
const grace = { userId: ids.colleague, email: 'grace@example.com', firstName: '', lastName: '' };
const membership = { status: 'active', createdAt: timeAt('31'), updatedAt: timeAt('31') };

const apiKey = {
  id: ids.apiKey,
  userId: ids.apiKeyUser,
  ...requests['createKey'],
  environment: null,
  prefix: 'glk_exampl',
  lastUsedAt: null,
  createdBy: ids.user,
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
  ...translationExamples,
  getLiveness: { status: 'ok', version, commit: '840479ac12' },
  getReadiness: { status: 'ok', version, commit: '840479ac12' },
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
  createKey: { ...apiKey, key: `glk_${'example'.repeat(6)}0` },
  listKeys: pageOf(apiKey),
  listAuditEntries: pageOf(auditEntry),
  ...documentExamples,
  ...comparisonExamples,
  ...publishingExamples,
  ...renderingExamples,
  ...checkingExamples,
  ...assetExamples,
  ...importExamples,
  ...trashExamples,
  ...webhookExamples,
};
