import { beforeAll, expect, it } from '@jest/globals';
import {
  addMember,
  batchTemplates,
  createModule,
  createTemplate,
  createWorkspace,
  getTemplate,
  listTags,
  updateTemplate,
} from '#client';
import type { Client } from '../../support/api/client.js';
import { clientFor } from '../support/stack.js';
import { useBrowser, Visitor } from '../support/visitor.js';

const EMAIL = 'ada@example.com';
// Three requests, because each changes at most 1,000 templates.
const MANY = 2_001;
const content = { stripes: [] };
let ada: Visitor;
let client: Client['generated'];
let workspaceId: string;
let menuId: string;

useBrowser();
beforeAll(async () => {
  client = (await clientFor(EMAIL)).generated;
  workspaceId = (await createWorkspace({ client, body: { name: 'Kitchen' } })).data.id;
  menuId = await addTemplate('Menu', ['2026', 'sale']);
  await addTemplate('Offer', ['sale']);
  await addTemplate('Receipt', ['2026']);
  await addTemplate('Letter', []);
  const footer = { workspaceId, name: 'Footer', content: { type: 'stripe' }, tags: ['sale'] };
  await createModule({ client, body: footer });
  ada = await Visitor.signIn(EMAIL, path('templates'));
});

async function addTemplate(name: string, tags: string[]): Promise<string> {
  return (await createTemplate({ client, body: { workspaceId, name, content, tags } })).data.id;
}

const path = (view: string) => `/settings/w/${workspaceId}/${view}`;
const table = (name: string) => ada.page.getByRole('table', { name });
const templates = () => table('Templates of the workspace');
const row = (name: string) => templates().getByRole('row').filter({ hasText: name });
const tagRow = (name: string) =>
  table('Tags of the workspace')
    .getByRole('row')
    .filter({ has: ada.page.getByText(name, { exact: true }) });
const dialog = () => ada.page.getByRole('dialog');
const button = (name: string) => ada.page.getByRole('button', { name, exact: true });
const tagsOf = async (id: string) => (await getTemplate({ client, path: { id } })).data.tags;
const field = () => ada.page.getByRole('region', { name: 'Filters' }).getByLabel('Tags');

it('filters a list by a tag, which is a link', async () => {
  await row('Offer').getByRole('link', { name: 'sale' }).click();
  await row('Receipt').waitFor({ state: 'detached' });
  expect(await templates().getByRole('row').count()).toBe(3);
  expect(ada.page.url()).toMatch(/templates\?tags=sale$/);
});

it('filters by all or any of several tags, at an address of its own', async () => {
  const { page } = ada;
  await field().fill('2026');
  await field().press('Enter');
  await row('Offer').waitFor({ state: 'detached' });
  expect(await templates().getByRole('row').count()).toBe(2);
  await page.getByLabel('Match').selectOption('At least one of the tags');
  await row('Receipt').waitFor();
  expect(page.url()).toMatch(/tags=sale(,|%2C)2026&tagsMatch=any$/);
  await page.reload();
  await row('Receipt').waitFor();
  expect(await templates().getByRole('row').count()).toBe(4);
  expect(await page.getByLabel('Match').inputValue()).toBe('any');
  await button('Clear filters').click();
  await row('Letter').waitFor();
});

it('suggests the tags of the workspace', async () => {
  await field().click();
  await ada.page.getByRole('option', { name: 'sale' }).click();
  await row('Letter').waitFor({ state: 'detached' });
  await ada.open(path('modules?tags=sale'));
  await table('Modules of the workspace').getByText('Footer').waitFor();
});

it('edits the tags of a template with the keyboard, without a new version', async () => {
  const { page } = ada;
  await ada.open(path(`templates/${menuId}`));
  await button('Edit tags').click();
  await dialog().getByLabel('Tags').waitFor();
  await page.keyboard.press('Backspace');
  await page.keyboard.type('Sale,spring,');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await page.getByText('The tags were saved.').waitFor();
  await dialog().waitFor({ state: 'detached' });
  expect(await ada.focusedName()).toBe('Edit tags');
  expect(await tagsOf(menuId)).toEqual(['2026', 'Sale', 'spring']);
  await page.getByRole('link', { name: 'spring' }).waitFor();
  await page.getByText('Latest version: 1').waitFor();
});

it('keeps the tags that somebody else added meanwhile', async () => {
  ada.expectProblems(/status of 412/);
  await button('Edit tags').click();
  await dialog().getByLabel('Tags').fill('mine');
  await ada.page.keyboard.press('Enter');
  const tags = ['2026', 'Sale', 'theirs'];
  await updateTemplate({ client, path: { id: menuId }, body: { tags } });
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().waitFor({ state: 'detached' });
  expect(await tagsOf(menuId)).toEqual(['2026', 'Sale', 'mine', 'theirs']);
});

it('lists the tags with their numbers, which lead to the documents', async () => {
  await ada.page.getByRole('navigation').getByRole('link', { name: 'Tags' }).click();
  await tagRow('sale').waitFor();
  expect(await tagRow('sale').innerText()).toMatch(/^sale\s+1\s+1/);
  await table('Tags of the workspace')
    .getByRole('link', { name: '2 templates with the tag “2026”' })
    .click();
  await row('Receipt').waitFor();
  expect(await templates().getByRole('row').count()).toBe(3);
});

async function choose(tag: string, action: string): Promise<void> {
  await ada.page.getByRole('button', { name: `Actions for the tag “${tag}”`, exact: true }).click();
  await ada.page.getByRole('menuitem', { name: action }).click();
}

it('says why a name is not possible', async () => {
  await ada.open(path('tags'));
  await choose('mine', 'Rename');
  const rename = dialog().getByRole('button', { name: 'Rename' });
  for (const [name, message] of [
    ['mine', 'This is the current name.'],
    ['a,b', 'A tag cannot contain a comma.'],
    [' ', 'Enter a name.'],
    ['x'.repeat(51), 'Use at most 50 characters.'],
  ] as const) {
    await dialog().getByLabel('New name').fill(name);
    await rename.click();
    await dialog().getByText(message).waitFor();
  }
  await dialog().getByRole('button', { name: 'Cancel' }).click();
});

it('renames a tag in more templates than one request changes', async () => {
  for (let first = 0; first < MANY; first += 500) {
    const length = Math.min(500, MANY - first);
    const operations = Array.from({ length }, (_, index) => ({
      action: 'create' as const,
      name: `Copy ${first + index}`,
      content,
      tags: ['many'],
    }));
    await batchTemplates({ client, body: { workspaceId, operations } });
  }
  await ada.open(path('tags'));
  await tagRow('many').filter({ hasText: '1,000 or more' }).waitFor();
  await choose('many', 'Rename');
  await dialog().getByLabel('New name').fill('plenty');
  await dialog().getByRole('button', { name: 'Rename' }).click();
  await ada.page
    .getByText('“many” was renamed to “plenty” in 2,001 templates and modules.')
    .waitFor();
  await dialog().waitFor({ state: 'detached' });
  await tagRow('plenty').waitFor();
  const { data } = (await listTags({ client, query: { workspaceId } })).data;
  expect(data.map(({ name }) => name)).not.toContain('many');
});

it('shows the progress of a removal, and stops it', async () => {
  const { page } = ada;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let requests = 0;
  await page.route('**/api/tags/remove', async (route) => {
    requests++;
    if (requests > 1) await released;
    await route.continue();
  });
  await choose('plenty', 'Remove');
  await dialog().getByRole('button', { name: 'Remove' }).click();
  await dialog().getByText('1,000 templates and modules changed so far.').waitFor();
  await dialog().getByRole('progressbar', { name: 'Progress of the change' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await dialog().isVisible()).toBe(true);
  await dialog().getByRole('button', { name: 'Stop' }).click();
  release();
  await page.getByText('Stopped after 2,000 templates and modules.').waitFor();
  expect(requests).toBe(2);
  await page.unrouteAll();
});

it('continues a removal that failed', async () => {
  const { page } = ada;
  ada.expectProblems(/status of 500/);
  const json = { statusCode: 500, code: 'internal', message: 'Internal Server Error' };
  await page.route('**/api/tags/remove', (route) => route.fulfill({ status: 500, json }));
  await choose('sale', 'Remove');
  await dialog().getByRole('button', { name: 'Remove' }).click();
  await dialog().getByRole('alert').filter({ hasText: 'Internal Server Error' }).waitFor();
  await page.unrouteAll();
  await dialog().getByRole('button', { name: 'Remove' }).click();
  await page.getByText('“sale” was removed from 2 templates and modules.').waitFor();
});

it('lets a viewer read and filter by tags, and change nothing', async () => {
  const member = { email: 'viewer@example.com', role: 'viewer' as const };
  await addMember({ client, path: { id: workspaceId }, body: member });
  const viewer = await Visitor.signIn(member.email, path('tags'));
  await viewer.page.getByRole('table').getByText('theirs').waitFor();
  const main = viewer.page.getByRole('main');
  expect(await main.getByRole('button', { name: /Actions/ }).count()).toBe(0);
  await viewer.open(path(`templates/${menuId}`));
  await main.getByRole('link', { name: 'theirs' }).waitFor();
  expect(await main.getByRole('button', { name: 'Edit tags' }).count()).toBe(0);
  await viewer.leave();
});
