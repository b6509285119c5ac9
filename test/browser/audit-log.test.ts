import { beforeAll, expect, it } from '@jest/globals';
import {
  addMember,
  createKey,
  createWebhook,
  createWorkspace,
  disableWebhook,
  listMembers,
  removeMember,
} from '#client';
import { Client } from '../support/api/client.js';
import { clientFor, galleyUrl } from './support/stack.js';
import { useBrowser, Visitor } from './support/visitor.js';

const EMAIL = 'alice.cook@example.com';
let alice: Visitor;
let workspaceId: string;
let keyUserId: string;

useBrowser();
beforeAll(async () => {
  const { generated: client } = await clientFor(EMAIL);
  const { data: workspace } = await createWorkspace({ client, body: { name: 'Kitchen' } });
  workspaceId = workspace.id;
  const path = { id: workspaceId };
  await addMember({ client, path, body: { email: 'guest@example.com', role: 'viewer' } });
  // A webhook that an API key disables: the entry of the change does not name the webhook.
  const url = 'https://receiver.example.com/hooks';
  const hook = { workspaceId, url, events: ['*' as const] };
  const { data: webhook } = await createWebhook({ client, body: hook });
  const body = { name: 'Deployment', role: 'admin' as const };
  const { data: key } = await createKey({ client, path, body });
  keyUserId = key.userId;
  const { generated: keyClient } = new Client(galleyUrl, key.key);
  await disableWebhook({ client: keyClient, path: { id: webhook.id } });
  // Somebody who added a member and has left.
  const { generated: ada } = await clientFor('ada.former@example.com');
  await addMember({ client, path, body: { email: 'ada.former@example.com', role: 'admin' } });
  await addMember({ client: ada, path, body: { email: 'bob@example.com', role: 'viewer' } });
  const { data: members } = await listMembers({ client, path });
  const former = members.data.find(({ email }) => email === 'ada.former@example.com');
  await removeMember({ client, path: { ...path, userId: former?.userId ?? '' } });
  alice = await Visitor.signIn(EMAIL, `/settings/w/${workspaceId}/audit-log`);
});

const entry = (text: string) =>
  alice.page.getByRole('table', { name: 'Changes' }).getByRole('row').filter({ hasText: text });
const view = (name: string) =>
  alice.page.getByRole('navigation').getByRole('link', { name }).click();
const actors = () => alice.page.getByLabel('By', { exact: true });

it('shows a change that was made on another view a moment ago', async () => {
  const { page } = alice;
  await entry('Created the API key “Deployment”').waitFor();
  await view('API keys');
  await page.getByRole('button', { name: 'Revoke Deployment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke Deployment' }).waitFor({ state: 'hidden' });
  await view('Audit log');
  await entry('Revoked the API key “Deployment”').waitFor();
});

it('offers everybody who made a change, and nobody who was only invited', async () => {
  const options = await actors().getByRole('option').allInnerTexts();
  expect(options).toEqual(['Anybody', 'Alice Cook', 'Ada Former', 'Deployment (API key)']);
});

it('names the target and the actor at an address with filters', async () => {
  const { page } = alice;
  const search = `action=webhook.disabled&actorId=${keyUserId}`;
  await alice.open(`/settings/w/${workspaceId}/audit-log?${search}`);
  await entry('Disabled the webhook receiver.example.com/hooks').waitFor();
  expect(await page.getByLabel('Change', { exact: true }).locator(':checked').innerText()).toBe(
    'Webhook disabled',
  );
  expect(await actors().locator(':checked').innerText()).toBe('Deployment (API key)');
  await page.getByText('This is the only entry.').waitFor();
});
