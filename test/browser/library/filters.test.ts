import { beforeAll, expect, it } from '@jest/globals';
import {
  addMember,
  createModule,
  createTemplate,
  createWorkspace,
  publishTemplate,
  updateTemplate,
} from '#client';
import type { Client } from '../../support/api/client.js';
import { clientFor } from '../support/stack.js';
import { useBrowser, Visitor } from '../support/visitor.js';

const EMAIL = 'ada@example.com';
const OTHER_EMAIL = 'grace@example.com';
let ada: Visitor;
let client: Client['generated'];
let workspaceId: string;
let footerId: string;
let addressId: string;

useBrowser();
beforeAll(async () => {
  client = (await clientFor(EMAIL)).generated;
  const grace = (await clientFor(OTHER_EMAIL)).generated;
  workspaceId = (await createWorkspace({ client, body: { name: 'Kitchen' } })).data.id;
  const member = { email: OTHER_EMAIL, role: 'editor' as const };
  await addMember({ client, path: { id: workspaceId }, body: member });
  addressId = await addModule('Address', { type: 'text', text: '1 Main Street' });
  const blocks = [{ type: 'module', moduleId: addressId }];
  footerId = await addModule('Footer', { type: 'stripe', containers: [{ blocks }] });
  const menuId = await addTemplate('Menu', [{ type: 'module', moduleId: footerId }]);
  const offerId = await addTemplate('Offer', []);
  await addTemplate('Letter', []);
  await publishTemplate({ client, path: { id: menuId }, body: { version: 1 } });
  await updateTemplate({
    client: grace,
    path: { id: offerId },
    body: { name: 'Offer', tags: ['sale'] },
  });
  ada = await Visitor.signIn(EMAIL, path('templates'));
});

async function addModule(name: string, content: Record<string, unknown>): Promise<string> {
  return (await createModule({ client, body: { workspaceId, name, content } })).data.id;
}

async function addTemplate(name: string, stripes: Record<string, unknown>[]): Promise<string> {
  const body = { workspaceId, name, content: { stripes } };
  return (await createTemplate({ client, body })).data.id;
}

const path = (view: string) => `/settings/w/${workspaceId}/${view}`;
const table = () => ada.page.getByRole('table', { name: 'Templates of the workspace' });
const row = (name: string) => table().getByRole('row').filter({ hasText: name });
const names = () => table().getByRole('row').getByRole('link').allInnerTexts();
const filter = (name: string) =>
  ada.page.getByRole('region', { name: 'Filters' }).getByLabel(name, { exact: true });
const clear = () => ada.page.getByRole('button', { name: 'Clear filters' }).click();

it('shows what a member has changed', async () => {
  await filter('Changed by').selectOption('Grace');
  await row('Menu').waitFor({ state: 'detached' });
  // While the list loads, it has no rows.
  await row('Offer').waitFor();
  expect(await names()).toEqual(['Offer', 'sale']);
  await ada.page.reload();
  await row('Offer').waitFor();
  expect(await filter('Changed by').locator('option:checked').innerText()).toBe('Grace');
  await clear();
  await row('Menu').waitFor();
});

it('shows what is published in an environment, or is not', async () => {
  await filter('Published').selectOption('In production');
  await row('Letter').waitFor({ state: 'detached' });
  await row('Menu').waitFor();
  expect(await names()).toEqual(['Menu']);
  expect(ada.page.url()).toMatch(/published=true&environment=production$/);
  await filter('Published').selectOption('Not in production');
  await row('Menu').waitFor({ state: 'detached' });
  expect(await names()).toEqual(['Offer', 'sale', 'Letter']);
  await filter('Published').selectOption('Published or not');
  await row('Menu').waitFor();
  expect(ada.page.url()).toMatch(/templates$/);
});

it('shows what refers to a module, by a link on the page of the module', async () => {
  await ada.open(path(`modules/${footerId}/usages`));
  await ada.page.getByRole('link', { name: 'Templates that refer to this module' }).click();
  await row('Menu').waitFor();
  expect(await names()).toEqual(['Menu']);
  expect(await filter('Uses the module').locator('option:checked').innerText()).toBe('Footer');
  await filter('Uses the module').selectOption('Any module or none');
  await row('Letter').waitFor();
});

it('has no link to a list that would be empty: templates use the module through another one', async () => {
  await ada.open(path(`modules/${addressId}/usages`));
  await ada.page.getByRole('link', { name: 'Menu' }).waitFor();
  expect(await ada.page.getByText('Templates that refer to this module').count()).toBe(0);
});

it('keeps filters by what is gone', async () => {
  const gone = '01936f61-2e5a-7c08-9b7f-c4d1e8a03562';
  await ada.open(path(`templates?updatedBy=${gone}&published=true&environment=gone`));
  await ada.page.getByText('No matches').waitFor();
  const chosen = (name: string) => filter(name).locator('option:checked').innerText();
  expect([await chosen('Changed by'), await chosen('Published')]).toEqual([
    'A former member',
    'In gone',
  ]);
});
