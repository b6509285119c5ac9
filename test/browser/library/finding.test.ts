import { beforeAll, expect, it } from '@jest/globals';
import { createModule, createTemplate, createWorkspace, search } from '#client';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { clientFor } from '../support/stack.js';
import { useBrowser, Visitor } from '../support/visitor.js';

const EMAIL = 'ada@example.com';
const MARKUP = '<img src=x onerror="window.isAttacked = true">';
let ada: Visitor;
let client: Client['generated'];
let workspaceId: string;
let menuId: string;
let footerId: string;

useBrowser();
beforeAll(async () => {
  client = (await clientFor(EMAIL)).generated;
  workspaceId = (await createWorkspace({ client, body: { name: 'Kitchen' } })).data.id;
  menuId = await addTemplate('Spring menu', 'Fresh bread and warm soup, every day.');
  await addTemplate('Warm bread', 'Baked at night.');
  footerId = await addModule('Footer', 'We deliver warm bread.');
  for (let count = 1; count <= 21; count++) await addTemplate(`Recipe ${count}`, 'Take flour.');
  await addTemplate(`Attack ${MARKUP}`, `Markup &lt;b&gt; ${MARKUP} attack.`);
  await searchFinds('attack', 1);
  ada = await Visitor.signIn(EMAIL, path('templates'));
});

async function addTemplate(name: string, text: string): Promise<string> {
  const content = { stripes: [{ type: 'text', text }] };
  return (await createTemplate({ client, body: { workspaceId, name, content } })).data.id;
}

async function addModule(name: string, text: string): Promise<string> {
  const content = { type: 'stripe', text };
  return (await createModule({ client, body: { workspaceId, name, content } })).data.id;
}

/** Waits until the search has followed. */
const searchFinds = (query: string, count: number) =>
  eventually(`the search for ${query}`, async () => {
    const { data: page } = await search({ client, query: { workspaceId, query } });
    return page.data.length === count;
  });

const path = (view: string) => `/settings/w/${workspaceId}/${view}`;
const field = () => ada.page.getByRole('searchbox', { name: 'Search templates and modules' });
const results = () => ada.page.getByRole('list', { name: 'Results, best matches first' });
const names = () => results().getByRole('link').allInnerTexts();
const status = (text: string) =>
  ada.page.getByRole('main').getByRole('status').filter({ hasText: text });
const heading = (name: string) => ada.page.getByRole('heading', { name, exact: true });

it('opens with the keyboard focus in the search field', async () => {
  await ada.page.getByRole('navigation').getByRole('link', { name: 'Search' }).click();
  await heading('Search names and content').waitFor();
  expect(await ada.focusedName()).toBe('Search templates and modules');
});

it('searches while somebody types, and ranks names before texts', async () => {
  await ada.page.keyboard.type('warm bre');
  await status('3 results').waitFor();
  expect(await names()).toEqual(['Warm bread', 'Footer', 'Spring menu']);
  expect(ada.page.url()).toMatch(/search\?query=warm(\+|%20)bre$/);
  expect(await ada.page.title()).toBe('warm bre · Galley');
  expect(await ada.focusedName()).toBe('Search templates and modules');
});

it('marks the words that match', async () => {
  const menu = results().getByRole('listitem').filter({ hasText: 'Spring menu' });
  expect(await menu.locator('mark').allInnerTexts()).toEqual(['bread', 'warm']);
  expect(await menu.innerText()).toContain('Fresh bread and warm soup, every day.');
});

it('finds only modules, at an address of its own', async () => {
  await ada.page.getByLabel('Kind').selectOption('Modules');
  await status('1 result').waitFor();
  expect(await names()).toEqual(['Footer']);
  await ada.open(new URL(ada.page.url()).pathname + new URL(ada.page.url()).search);
  await status('1 result').waitFor();
  expect(await ada.page.getByLabel('Kind').inputValue()).toBe('module');
  expect(await field().inputValue()).toBe('warm bre');
});

it('leads to the documents, and back to the results', async () => {
  const { page } = ada;
  await results().getByRole('link', { name: 'Footer' }).click();
  await heading('Footer').waitFor();
  expect(page.url()).toContain(`modules/${footerId}`);
  await page.goBack();
  await page.getByLabel('Kind').selectOption('Templates and modules');
  await results().getByRole('link', { name: 'Spring menu' }).click();
  await heading('Spring menu').waitFor();
  expect(page.url()).toContain(`templates/${menuId}`);
});

it('finds a template that is new', async () => {
  await ada.open(path('search?query=rhubarb'));
  await heading('Nothing found').waitFor();
  await addTemplate('Dessert', 'Rhubarb with cream.');
  await searchFinds('rhubarb', 1);
  await field().fill('rhubarb cream');
  await status('1 result').waitFor();
  expect(await names()).toEqual(['Dessert']);
});

it('says that nothing was found, and of which kind', async () => {
  const { page } = ada;
  await ada.open(path('search?query=xylophone&kind=module'));
  await status('No results').waitFor();
  await page.getByText('No module contains all the words in “xylophone”').waitFor();
  await page.getByLabel('Kind').selectOption('Templates and modules');
  await page.getByText('No template or module contains all the words in “xylophone”').waitFor();
});

it('says that names are only similar', async () => {
  await ada.open(path('search?query=desert'));
  await results().getByRole('link', { name: 'Dessert' }).waitFor();
  await ada.page.getByText('These names are similar:').waitFor();
});

it('loads more results', async () => {
  await ada.open(path('search?query=recipe'));
  await status('More than 20 results.').waitFor();
  expect(await names()).toHaveLength(20);
  await ada.page.getByRole('button', { name: 'Load more' }).click();
  await status('21 results').waitFor();
  expect(await names()).toHaveLength(21);
});

it('shows markup in names and texts as text', async () => {
  await ada.open(path('search?query=attack'));
  await status('1 result').waitFor();
  expect(await results().innerText()).toContain(MARKUP);
  expect(await results().locator('img').count()).toBe(0);
  expect(await ada.page.evaluate('window.isAttacked')).toBeUndefined();
});

it('reads a number in the address as a word', async () => {
  await ada.open(path('search?query=21'));
  await status('1 result').waitFor();
  expect(await names()).toEqual(['Recipe 21']);
});

it('shows an error, and searches again', async () => {
  const { page } = ada;
  ada.expectProblems(/status of 500/);
  const json = { statusCode: 500, code: 'internal', message: 'Internal Server Error' };
  await page.route('**/api/search?*', (route) => route.fulfill({ status: 500, json }));
  await ada.open(path('search?query=footer'));
  const alert = page.getByRole('alert').filter({ hasText: 'Internal Server Error' });
  await alert.waitFor();
  await page.unrouteAll();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await status('1 result').waitFor();
});

it('offers to search texts if no name of a list matches', async () => {
  await ada.open(path('templates?search=flour'));
  await heading('No matches').waitFor();
  await ada.page.getByRole('link', { name: 'Search names and content' }).click();
  await status('More than 20 results.').waitFor();
  expect(await field().inputValue()).toBe('flour');
});
