import { beforeAll, expect, it } from '@jest/globals';
import {
  addMember,
  createModule,
  createTemplate,
  createWorkspace,
  deleteModule,
  deleteTemplate,
  listTrash,
  purgeFromTrash,
  restoreFromTrash,
  updateTemplate,
  type Role,
} from '#client';
import type { Client } from '../../support/api/client.js';
import { clientFor } from '../support/stack.js';
import { useBrowser, Visitor } from '../support/visitor.js';

const EMAIL = 'ada@example.com';
const content = { stripes: [] };
let ada: Visitor;
let client: Client['generated'];
let workspaceId: string;

useBrowser();
beforeAll(async () => {
  client = (await clientFor(EMAIL)).generated;
  workspaceId = (await createWorkspace({ client, body: { name: 'Kitchen' } })).data.id;
  ada = await Visitor.signIn(EMAIL, path('templates'));
});

const path = (view: string) => `/settings/w/${workspaceId}/${view}`;
const rowsOf = ({ page }: Visitor) =>
  page.getByRole('table', { name: 'Deleted templates and modules' }).getByRole('row');
const row = (name: string) => rowsOf(ada).filter({ hasText: name });
const button = (name: string) => ada.page.getByRole('button', { name, exact: true });
const dialog = () => ada.page.getByRole('dialog');

async function addTemplate(name: string): Promise<string> {
  return (await createTemplate({ client, body: { workspaceId, name, content } })).data.id;
}

async function addToTrash(name: string): Promise<string> {
  const id = await addTemplate(name);
  await deleteTemplate({ client, path: { id } });
  return id;
}

async function addModuleToTrash(name: string): Promise<void> {
  const body = { workspaceId, name, content: { type: 'stripe' } };
  const { id } = (await createModule({ client, body })).data;
  await deleteModule({ client, path: { id } });
}

it('says that there is nothing in the trash', async () => {
  await ada.page.getByRole('navigation').getByRole('link', { name: 'Trash' }).click();
  await ada.page.getByRole('heading', { name: 'The trash is empty' }).waitFor();
});

it('says before a deletion for how long it can be undone, and where', async () => {
  const { page } = ada;
  const id = await addTemplate('Menu');
  await updateTemplate({ client, path: { id }, body: { name: 'Spring menu' } });
  await ada.open(path(`templates/${id}`));
  await button('Delete').click();
  await dialog().getByText('restore it from the trash, usually within 30 days.').waitFor();
  const link = dialog().getByRole('link', { name: 'trash' });
  expect(await link.getAttribute('href')).toBe(path('trash'));
  await dialog().getByRole('button', { name: 'Delete' }).click();
  await page.getByText('“Spring menu” was moved to the trash.').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Trash' }).click();
  await row('Spring menu').waitFor();
});

it('lists the latest deletion first, with its kind, its author and its end', async () => {
  await addModuleToTrash('Footer');
  await ada.open(path('trash'));
  await row('Footer').waitFor();
  const [, footer = '', menu = ''] = await rowsOf(ada).allInnerTexts();
  expect(footer).toMatch(/Footer\s+Module\s+.*(now|ago)\s+by Ada\s+in (29|30) days/);
  expect(menu).toMatch(/Spring menu\s+Template/);
});

it('restores a template with its versions, and leads to it', async () => {
  const { page } = ada;
  await button('Restore “Spring menu”').click();
  const result = page.getByRole('status').filter({ hasText: '“Spring menu” was restored' });
  await result.waitFor();
  expect(await ada.focusedName()).toContain('“Spring menu” was restored');
  await row('Spring menu').waitFor({ state: 'detached' });
  await result.getByRole('link', { name: 'Open “Spring menu”' }).click();
  await page.getByText('Latest version: 2').waitFor();
});

it('says that somebody else restored the template meanwhile', async () => {
  const id = await addToTrash('Receipt');
  await ada.open(path('trash'));
  await row('Receipt').waitFor();
  await restoreFromTrash({ client, path: { id } });
  ada.expectProblems(/status of 404/);
  await button('Restore “Receipt”').click();
  await ada.page.getByText('“Receipt” is no longer in the trash').waitFor();
  await row('Receipt').waitFor({ state: 'detached' });
});

it('keeps a template in the list if the restore fails', async () => {
  const { page } = ada;
  await addToTrash('Newsletter');
  await ada.open(path('trash'));
  ada.expectProblems(/status of 500/);
  const json = { statusCode: 500, code: 'internal', message: 'Internal Server Error' };
  await page.route('**/restore', (route) => route.fulfill({ status: 500, json }));
  await button('Restore “Newsletter”').click();
  await page.getByRole('alert').filter({ hasText: 'Internal Server Error' }).waitFor();
  await page.unrouteAll();
  await button('Restore “Newsletter”').click();
  await page.getByText('“Newsletter” was restored').waitFor();
});

it('deletes a template for good, after a question', async () => {
  await addToTrash('Draft');
  await ada.open(path('trash'));
  await button('Delete “Draft” for good').click();
  await dialog().getByText('Nobody can restore it afterwards.').waitFor();
  await dialog().getByRole('button', { name: 'Delete for good' }).click();
  await ada.page.getByText('“Draft” was deleted for good.').waitFor();
  await dialog().waitFor({ state: 'detached' });
  const { data } = (await listTrash({ client, query: { workspaceId } })).data;
  expect(data.map(({ name }) => name)).toEqual(['Footer']);
});

it('does not claim to have deleted what somebody else took out of the trash', async () => {
  const id = await addToTrash('Offer');
  await ada.open(path('trash'));
  await button('Delete “Offer” for good').click();
  await purgeFromTrash({ client, path: { id } });
  ada.expectProblems(/status of 404/);
  await dialog().getByRole('button', { name: 'Delete for good' }).click();
  await ada.page.getByText('“Offer” is no longer in the trash').waitFor();
  await dialog().waitFor({ state: 'detached' });
});

it('loads more than one page', async () => {
  for (let count = 1; count <= 50; count++) await addToTrash(`Copy ${count}`);
  await ada.open(path('trash'));
  await row('Copy 50').waitFor();
  expect(await row('Footer').count()).toBe(0);
  await button('Load more').click();
  await row('Footer').waitFor();
});

it.each<[Role, RegExp[]]>([
  ['viewer', []],
  ['editor', [/^Restore/]],
])('offers a %s only what the API allows', async (role, allowed) => {
  const email = `${role}@example.com`;
  await addMember({ client, path: { id: workspaceId }, body: { email, role } });
  const visitor = await Visitor.signIn(email, path('trash'));
  await rowsOf(visitor).filter({ hasText: 'Copy 50' }).waitFor();
  const buttons = rowsOf(visitor).nth(1).getByRole('button');
  expect(await buttons.allInnerTexts()).toEqual(
    allowed.map((pattern) => expect.stringMatching(pattern)),
  );
  await visitor.leave();
});
