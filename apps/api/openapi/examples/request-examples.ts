/** The ids of one small workspace, which all examples share. */
export const exampleIds = {
  workspace: '01936f5e-7a10-7c43-9d35-6a2f4be1a7d0',
  user: '01936f5e-6f02-7b1e-8a57-0d4c9e5f3b21',
  colleague: '01936f5f-1c44-7d90-b3a8-51e7c2a9f603',
  template: '01936f60-0b7e-7a66-a1d4-93c8f0e27b15',
  templateCopy: '01936f60-9d21-7f3c-8e02-7b5d4a61c9f8',
  batchedTemplate: '01936f60-b8c4-7d17-9a3e-e52f07c61b94',
  module: '01936f61-2e5a-7c08-9b7f-c4d1e8a03562',
  moduleCopy: '01936f61-a7f3-7e51-8d46-2f9b0c6e71da',
  batchedModule: '01936f61-c0d8-7a25-b14e-6f8a2e93d7c1',
  publication: '01936f60-e5a1-7c62-8f04-b1d93e7c5a26',
  batchedPublication: '01936f68-4a17-7c93-8e25-d0b6f1a37c48',
  laterPublication: '01936f60-f0c3-7b48-9d12-6e8a40f7c391',
  scheduledPublication: '01936f61-0a94-7d3f-a5c8-2f71e6b0d845',
  asset: '01936f68-3a17-7c25-9e40-b7d2c6f1a7d0',
  webhook: '01936f62-40c9-7b95-a5e3-8d27f1b6c04e',
  delivery: '01936f63-15d8-7d2a-9c61-e0a4b7f3925c',
  testDelivery: '01936f63-9a2c-7e14-8f50-c7d3b6a1e942',
  replay: '01936f64-8b36-7f07-b8d9-46c1e5a2f73b',
  usageUpdate: '01936f67-2c18-7d45-a0b9-5e83d1f6c7a2',
  event: '01936f63-0e41-7c19-8b27-5a9d3f80e6c4',
  apiKey: '01936f65-3c71-7a8e-9f25-d7b0c3e6148a',
  apiKeyUser: '01936f65-3c70-7b12-8d44-a90e5f7c2b63',
  auditEntry: '01936f66-5d02-7e31-b6f8-1c4a7e90d528',
} as const;

/** The URL of the webhook in all examples. */
export const EXAMPLE_URL = 'https://hooks.example.com/galley';

const { workspace: workspaceId, colleague, template } = exampleIds;

const styles = { contentWidth: 600, backgroundColor: '#F4F4F4', fontFamily: 'Arial, sans-serif' };
const stripeOf = (block: object) => ({
  type: 'stripe',
  containers: [{ type: 'container', blocks: [block] }],
});
const heading = (content: string) => stripeOf({ type: 'heading', props: { content, level: 1 } });
const welcomeContent = { styles, stripes: [heading('Welcome aboard')] };
const footerText = { type: 'text', props: { content: 'You can unsubscribe at any time.' } };
const footerContent = stripeOf(footerText);
const legalNoticeContent = stripeOf({ type: 'text', props: { content: 'Kitchen Ltd' } });
const welcomeFriendsContent = { styles, stripes: [heading('Welcome aboard, friends')] };

const EXAMPLE_MJML =
  '<mjml><mj-head><mj-attributes><mj-all font-family="Arial, sans-serif" /></mj-attributes></mj-head><mj-body><mj-section><mj-column><mj-text>Hello</mj-text><mj-raw><b>Raw</b></mj-raw></mj-column></mj-section></mj-body></mjml>';

/** An example request for each operation with a body, by `operationId`. A test sends all of them. */
export const requestExamples: Record<string, object> = {
  createWorkspace: { name: 'Kitchen' },
  renameWorkspace: { name: 'Test kitchen' },
  addMember: { userId: colleague, role: 'viewer' },
  changeMemberRole: { role: 'editor' },
  createKey: { name: 'Newsletter service', role: 'editor', expiresAt: '2099-01-01T00:00:00.000Z' },
  createTemplate: {
    workspaceId,
    name: 'Welcome',
    content: welcomeContent,
    tags: ['onboarding'],
    externalId: 'welcome',
  },
  upsertTemplate: { name: 'Welcome', content: welcomeContent, tags: ['onboarding'] },
  updateTemplate: { name: 'Welcome aboard', content: welcomeFriendsContent },
  labelTemplateVersion: { label: 'approved', note: 'Approved by legal.' },
  restoreTemplateVersion: { modules: 'as-then' },
  createEnvironment: { name: 'staging' },
  publishTemplate: { environment: 'staging', version: 1, note: 'Spring campaign' },
  publishTemplates: { note: 'Spring campaign', templates: [{ externalId: 'welcome', version: 1 }] },
  unpublishTemplate: { environment: 'staging' },
  renderTemplate: { version: 1, format: 'mjml' },
  render: { content: welcomeContent, format: 'mjml' },
  sendTestEmail: { to: 'reviews@example.com', version: 1, data: { user: { name: 'Ada' } } },
  updateAsset: { name: 'Logo, spring', tags: ['brand', 'spring'] },
  checkTemplate: { version: 1 },
  check: { content: welcomeContent },
  importDocument: { format: 'mjml', content: EXAMPLE_MJML },
  changeCheckSettings: { levels: { 'unsubscribe-missing': 'off' }, errorsBlockPublishing: true },
  duplicateTemplate: { name: 'Welcome back' },
  batchTemplates: {
    workspaceId,
    operations: [
      {
        action: 'create',
        name: 'Goodbye',
        content: { stripes: [{ type: 'module', moduleId: exampleIds.module, version: 1 }] },
      },
      { action: 'update', id: template, name: 'Welcome' },
      { action: 'delete', id: exampleIds.templateCopy },
    ],
  },
  storeTemplateTranslations: {
    texts: [
      {
        id: '/stripes/0/containers/0/blocks/0/content',
        source: 'Welcome aboard',
        text: 'Que bom ter você aqui',
      },
    ],
  },
  createModule: {
    workspaceId,
    name: 'Footer',
    content: footerContent,
    category: 'footers',
    description: 'With an unsubscribe link.',
    tags: ['legal'],
    externalId: 'footer',
  },
  upsertModule: { name: 'Footer', content: footerContent },
  updateModule: { description: 'With the unsubscribe link.' },
  labelModuleVersion: { label: 'approved' },
  restoreModuleVersion: {},
  storeModuleTranslations: {
    texts: [
      {
        id: '/containers/0/blocks/0/content',
        source: 'You can unsubscribe at any time.',
        text: 'Você pode cancelar a qualquer momento.',
      },
    ],
  },
  duplicateModule: {},
  batchModules: {
    workspaceId,
    operations: [
      {
        action: 'upsert',
        externalId: 'legal-notice',
        name: 'Legal notice',
        content: legalNoticeContent,
      },
      { action: 'delete', id: exampleIds.moduleCopy },
    ],
  },
  renameTag: { workspaceId, name: 'onboarding', newName: 'welcome' },
  removeTag: { workspaceId, name: 'legal' },
  createWebhook: {
    workspaceId,
    url: EXAMPLE_URL,
    events: ['template.created', 'template.updated'],
    description: 'Search index',
    headers: { 'x-tenant': 'kitchen' },
  },
  updateWebhook: { events: ['template.created', 'template.updated', 'template.deleted'] },
  enableWebhook: { held: 'send' },
  rotateWebhookSecret: { overlapHours: 24 },
  updateModuleUsages: { toVersion: 3, all: true },
  startReplay: {
    since: '2024-01-01T00:00:00.000Z',
    events: ['template.created'],
    resourceId: template,
    status: ['delivered'],
  },
};
