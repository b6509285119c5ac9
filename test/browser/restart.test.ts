import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTemplate, createWebhook, createWorkspace } from '#client';
import { Receiver } from '../support/webhooks/receiver.js';
import { clientFor, startGalley, stopGalley } from './support/stack.js';
import { useBrowser, Visitor } from './support/visitor.js';

const EMAIL = 'ada@example.com';
let receiver: Receiver;

useBrowser();
beforeAll(async () => {
  receiver = await Receiver.start();
});
afterAll(() => receiver.stop());

it('goes on without a reload after the API was restarted', async () => {
  const { generated: client } = await clientFor(EMAIL);
  const { data: workspace } = await createWorkspace({ client, body: { name: 'Kitchen' } });
  const workspaceId = workspace.id;
  const { data: webhook } = await createWebhook({
    client,
    body: { workspaceId, url: receiver.url, events: ['*'] },
  });
  const change = (name: string) =>
    createTemplate({ client, body: { workspaceId, name, content: { subject: name } } });
  await change('Before');
  const path = `/settings/w/${workspaceId}/webhooks/${webhook.id}/deliveries`;
  const ada = await Visitor.signIn(EMAIL, path);
  const delivered = ada.page
    .getByRole('table', { name: 'Deliveries' })
    .getByRole('row')
    .filter({ hasText: 'Delivered' });
  await delivered.waitFor();
  await ada.page.evaluate('window.isSamePage = true');

  ada.expectProblems(/ERR_|status of 50[0-9]/);
  await stopGalley();
  await ada.page.getByText('Galley does not respond').first().waitFor();
  expect(await delivered.count()).toBe(1);

  await startGalley();
  await change('After');
  await delivered.nth(1).waitFor();
  await ada.page.getByText('Galley does not respond').first().waitFor({ state: 'hidden' });
  expect(await ada.page.evaluate('window.isSamePage')).toBe(true);
});
