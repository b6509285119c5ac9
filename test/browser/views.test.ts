import { beforeAll, it } from '@jest/globals';
import { expectGoodAppearance } from './support/appearances.js';
import { createSample, type Sample } from './support/sample.js';
import { useBrowser, Visitor } from './support/visitor.js';

const EMAIL = 'ada@example.com';
let ada: Visitor;
let sample: Sample;

useBrowser();
beforeAll(async () => {
  sample = await createSample(EMAIL);
  ada = await Visitor.signIn(EMAIL, `/settings/w/${sample.workspaceId}/members`);
});

async function look(name: string, path: string): Promise<void> {
  await ada.open(path);
  await ada.page.getByRole('heading', { level: 1 }).waitFor();
  await ada.page.waitForLoadState('networkidle');
  await expectGoodAppearance(ada.page, name);
}

it.each<[string, (ids: Sample) => string]>([
  ['webhooks', () => 'webhooks'],
  ['webhook-new', () => 'webhooks/new'],
  ['webhook', ({ webhookId }) => `webhooks/${webhookId}`],
  ['webhook-created', ({ webhookId }) => `webhooks/${webhookId}/created`],
  ['deliveries', ({ webhookId }) => `webhooks/${webhookId}/deliveries`],
  [
    'delivery',
    ({ webhookId, failedDeliveryId }) => `webhooks/${webhookId}/deliveries/${failedDeliveryId}`,
  ],
  ['replays', ({ webhookId }) => `webhooks/${webhookId}/replays`],
  ['webhook-settings', ({ webhookId }) => `webhooks/${webhookId}/settings`],
  ['events', () => 'events'],
  ['event', () => 'events/1'],
  ['templates', () => 'templates'],
  ['template-import', () => 'templates/import'],
  ['template', ({ templateId }) => `templates/${templateId}`],
  ['template-with-modules', ({ letterId }) => `templates/${letterId}?expand=modules`],
  ['template-version', ({ letterId }) => `templates/${letterId}/versions/1`],
  ['template-preview', ({ previewId }) => `templates/${previewId}/preview`],
  ['template-preview-text', ({ previewId }) => `templates/${previewId}/preview?view=text`],
  ['template-translations', ({ previewId }) => `templates/${previewId}/translations?language=pt`],
  ['template-compare', ({ letterId }) => `templates/${letterId}/compare?from=1&to=2`],
  ['template-compare-identical', ({ letterId }) => `templates/${letterId}/compare?from=2&to=2`],
  [
    'template-compare-published',
    ({ letterId }) => `templates/${letterId}/compare?from=production&to=2`,
  ],
  ['template-publishing', ({ letterId }) => `templates/${letterId}/publishing`],
  ['template-publishing-empty', ({ templateId }) => `templates/${templateId}/publishing`],
  ['modules', () => 'modules'],
  ['module', ({ moduleId }) => `modules/${moduleId}`],
  ['module-version', ({ footerId }) => `modules/${footerId}/versions/1`],
  ['module-compare', ({ footerId }) => `modules/${footerId}/compare`],
  ['module-usages', ({ addressId }) => `modules/${addressId}/usages`],
  ['module-usages-empty', ({ moduleId }) => `modules/${moduleId}/usages`],
  ['search', () => 'search?query=we'],
  ['search-start', () => 'search'],
  ['search-similar', () => 'search?query=receipts'],
  ['search-nothing', () => 'search?query=xylophone&kind=module'],
  ['templates-by-tags', () => 'templates?tags=2026,newsletter&tagsMatch=any'],
  ['tags', () => 'tags'],
  ['trash', () => 'trash'],
  ['environments', () => 'environments'],
  ['checks', () => 'checks'],
  ['members', () => 'members'],
  ['api-keys', () => 'api-keys'],
  ['audit-log', () => 'audit-log'],
  ['workspace', () => 'workspace'],
])('looks good and is accessible: %s', (name, view) =>
  look(name, `/settings/w/${sample.workspaceId}/${view(sample)}`),
);

it('looks good and is accessible: workspaces', () => look('workspaces', '/settings?all=true'));

it('looks good and is accessible: the welcome of a newcomer', async () => {
  const newcomer = await Visitor.signIn('newcomer@example.com');
  await newcomer.page.getByRole('heading', { name: 'Welcome to Galley' }).waitFor();
  await expectGoodAppearance(newcomer.page, 'welcome');
  await newcomer.leave();
});
