import { beforeAll, expect, it } from '@jest/globals';
import { addMember, createTemplate, createWebhook, createWorkspace } from '#client';
import { clientFor } from './support/stack.js';
import { useBrowser, Visitor } from './support/visitor.js';

let viewer: Visitor;
let path: (view: string) => string;
let webhookId: string;

useBrowser();
beforeAll(async () => {
  const { generated: client } = await clientFor('ada@example.com');
  const { data: workspace } = await createWorkspace({ client, body: { name: 'Kitchen' } });
  const workspaceId = workspace.id;
  path = (view) => `/settings/w/${workspaceId}/${view}`;
  const content = { subject: 'Welcome' };
  await createTemplate({ client, body: { workspaceId, name: 'Welcome', content } });
  const url = 'http://127.0.0.1:9/webhooks';
  const { data: webhook } = await createWebhook({
    client,
    body: { workspaceId, url, events: ['*'] },
  });
  webhookId = webhook.id;
  const member = { email: 'viewer@example.com', role: 'viewer' as const };
  await addMember({ client, path: { id: workspaceId }, body: member });
  viewer = await Visitor.signIn('viewer@example.com', path('templates'));
});

it('has no links to views that need another role', async () => {
  const navigation = viewer.page.getByRole('navigation');
  await navigation.getByRole('link', { name: 'Templates' }).waitFor();
  const links = await navigation.getByRole('link').allInnerTexts();
  expect(links.map((text) => text.trim())).toEqual(
    expect.arrayContaining([
      'Events',
      'Templates',
      'Modules',
      'Environments',
      'Members',
      'Workspace',
    ]),
  );
  for (const absent of ['Webhooks', 'API keys', 'Audit log']) expect(links).not.toContain(absent);
});

it.each([
  ['events', 'Events'],
  ['templates', 'Templates'],
  ['modules', 'Modules'],
  ['search', 'Search'],
  ['tags', 'Tags'],
  ['trash', 'Trash'],
  ['environments', 'Environments'],
  ['members', 'Members'],
  ['workspace', 'Workspace'],
])('reads %s, and has no buttons that the API would refuse', async (view, title) => {
  await viewer.open(path(view));
  await viewer.page.getByRole('heading', { level: 1, name: title }).waitFor();
  await viewer.page.waitForLoadState('networkidle');
  const actions = /create|add|invite|delete|rename|save|change|restore|actions/i;
  const main = viewer.page.getByRole('main');
  expect(await main.getByRole('button', { name: actions }).allInnerTexts()).toEqual([]);
});

it.each([
  'webhooks',
  'webhooks/new',
  'webhooks/:id',
  'webhooks/:id/deliveries',
  'api-keys',
  'audit-log',
])('reads at %s that it needs another role', async (view) => {
  viewer.expectProblems(/status of 403/);
  await viewer.open(path(view.replace(':id', webhookId)));
  await viewer.page.getByRole('heading', { name: 'You do not have access' }).waitFor();
});
