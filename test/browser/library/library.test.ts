import { beforeAll, expect, it } from '@jest/globals';
import { addMember, createWorkspace, type Workspace } from '#client';
import type { Client } from '../../support/api/client.js';
import { createSampleLibrary, type SampleLibrary } from '../support/sample-library.js';
import { clientFor } from '../support/stack.js';
import { useBrowser, Visitor } from '../support/visitor.js';

const EMAIL = 'ada@example.com';
let ada: Visitor;
let api: Client;
let workspace: Workspace;
let sample: SampleLibrary;

useBrowser();
beforeAll(async () => {
  api = await clientFor(EMAIL);
  workspace = (await createWorkspace({ client: api.generated, body: { name: 'Kitchen' } })).data;
  sample = await createSampleLibrary(api, workspace.id);
  ada = await Visitor.signIn(EMAIL, path('templates'));
});

const path = (view: string) => `/settings/w/${workspace.id}/${view}`;
const open = (view: string) => ada.open(path(view));
const heading = (name: string) => ada.page.getByRole('heading', { name, exact: true });
const link = (name: string | RegExp) => ada.page.getByRole('link', { name });
const button = (name: string | RegExp) => ada.page.getByRole('button', { name });
const versions = () => ada.page.getByRole('list', { name: 'Versions, newest first' });
const changes = () => ada.page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
const dialog = () => ada.page.getByRole('dialog');

it('compares a version with the version before, at its own address', async () => {
  const { page } = ada;
  await open(`templates/${sample.letterId}`);
  await versions().getByRole('link', { name: 'Compare with the previous version' }).click();
  await changes().first().waitFor();
  expect(page.url()).toContain(`templates/${sample.letterId}/compare?from=1&to=2`);
  expect(await page.title()).toBe('Versions 1 and 2 of Welcome letter · Galley');
  const summary = page.getByRole('region', { name: 'Number of changes' });
  expect((await summary.innerText()).split(/\n+/)).toEqual([
    '1 added',
    '1 removed',
    '1 moved',
    '1 changed',
  ]);
});

it('shows what each change is, in both versions', async () => {
  const changed = changes().filter({ hasText: /^Changed/ });
  expect(await changed.innerText()).toMatch(/Matched by its ID\.[^]*10px 25px[^]*20px 25px/);
  const added = changes().filter({ hasText: /^Added/ });
  await added.getByText('The new menu is here.').waitFor();
  expect(await added.innerText()).toContain('Not in this version');
  const removed = changes().filter({ hasText: /^Removed/ });
  await removed.getByText('Ten percent off.').waitFor();
  const name = ada.page.locator('section').filter({ hasText: /^Changed\s*Name/ });
  expect(await name.innerText()).toMatch(/Letter[^]*Welcome letter/);
});

it('marks the changed nodes in both documents', async () => {
  const documents = ada.page.locator('section').filter({ hasText: /^Both documents/ });
  const marks = async (version: string) => {
    const tree = documents.locator('section').filter({ hasText: version }).getByRole('group');
    return (await tree.innerText()).match(/Added|Removed|Moved|Changed/g);
  };
  expect(await marks('Version 1')).toEqual(['Changed', 'Removed', 'Moved']);
  expect(await marks('Version 2')).toEqual(['Moved', 'Changed', 'Added']);
});

it('compares any two versions', async () => {
  const { page } = ada;
  await page.getByRole('combobox', { name: 'Before' }).click();
  await page.getByRole('option', { name: 'Version 2 (latest)' }).click();
  await heading('Both versions are the same').waitFor();
  expect(page.url()).toContain('compare?from=2&to=2');
  await page.goBack();
  await open(`modules/${sample.footerId}/compare?from=3&to=1`);
  expect(await changes().innerText()).toMatch(/Kitchen, 2026[^]*Kitchen, 2024/);
});

it('says when there is no such version', async () => {
  ada.expectProblems(/status of 404/);
  await open(`templates/${sample.letterId}/compare?from=1&to=9`);
  await heading('Not found').waitFor();
});

it('says when the comparison is incomplete', async () => {
  const { page } = ada;
  await page.route('**/compare?*', async (route) => {
    const response = await route.fetch();
    const comparison = (await response.json()) as object;
    await route.fulfill({ response, json: { ...comparison, isComplete: false } });
  });
  await open(`templates/${sample.letterId}/compare`);
  await page.getByText('Not all changes are shown').waitFor();
  await page.unrouteAll();
});

it('labels a version, and finds it by its label', async () => {
  const { page } = ada;
  await open(`templates/${sample.receiptId}`);
  await button('Add a label or note').click();
  await dialog().getByLabel('Label').fill('draft');
  await dialog().getByLabel('Note').fill('The logo is missing.');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().waitFor({ state: 'hidden' });
  expect(await ada.focusedName()).toBe('Edit label and note');
  expect(await versions().innerText()).toMatch(/draft[^]*The logo is missing\./);
  await page.getByRole('region', { name: 'Label and note' }).getByText('draft').waitFor();

  await open(`templates/${sample.letterId}`);
  await page.getByLabel('Show versions with the label').fill('approved');
  await versions().getByText('Version 1').waitFor({ state: 'hidden' });
  await versions().getByRole('listitem').nth(1).waitFor({ state: 'hidden' });
  expect(await versions().getByRole('listitem').count()).toBe(1);
  expect(page.url()).toContain('label=approved');
});

it('restores a version of a module', async () => {
  await open(`modules/${sample.footerId}`);
  await versions().getByRole('link', { name: 'Version 1', exact: true }).click();
  await ada.page.getByText('You are looking at version 1. The latest version is 3.').waitFor();
  expect(await ada.page.title()).toBe('Footer, version 1 · Galley');
  await button('Restore this version').click();
  await dialog().getByRole('radio', { name: 'As they are now' }).check();
  await dialog().getByRole('button', { name: 'Restore' }).click();
  await ada.page.getByText('Version 1 was restored as version 4.').waitFor();
  await ada.page.getByText('Latest version: 4').waitFor();
});

it('leads from a reference to the module, and shows the document with its modules', async () => {
  const { page } = ada;
  await open(`templates/${sample.receiptId}`);
  await page.getByRole('switch', { name: 'Show with modules' }).click();
  await link('Open Footer, version 1').waitFor();
  expect(await ada.focusedName()).toContain('Show with modules');
  expect(page.url()).toContain('expand=modules');
  await link('Open Footer, version 1').click();
  await heading('Footer').waitFor();
  expect(page.url()).toContain(`modules/${sample.footerId}/versions/1`);
});

it('lists who uses a module, directly and through other modules', async () => {
  await open(`modules/${sample.addressId}`);
  await link('Usages').click();
  const table = ada.page.getByRole('table', { name: 'Used by' });
  await table.getByRole('row', { name: 'Footer Module 4 This module' }).waitFor();
  await table.getByRole('row', { name: 'Receipt Template 1 Footer Pins version 1' }).waitFor();
  expect(await ada.page.title()).toBe('Usages of Address · Galley');
});

it('moves the pins of templates to another version, after counting them', async () => {
  const { page } = ada;
  await open(`modules/${sample.footerId}/usages`);
  await button('Count templates').click();
  await page.getByText('1 template will change.').waitFor();
  await button('Move pins to version 4').click();
  const updates = page.getByRole('table', { name: 'Updates' });
  await updates.getByRole('row', { name: 'Version 4 Done 1 of 1' }).waitFor();
  expect(await ada.focusedName()).toBe('Count templates');
  const usages = page.getByRole('table', { name: 'Used by' });
  await usages
    .getByRole('row', { name: 'Receipt Template 2 This module Pins version 4' })
    .waitFor();
});

it('shows the progress of an update, and cancels it', async () => {
  const { page } = ada;
  const update = {
    id: sample.letterId,
    status: 'running',
    toVersion: 4,
    total: 3,
    done: 1,
    failed: 1,
    failures: [{ templateId: sample.receiptId, message: 'The document became too large.' }],
    createdAt: new Date().toISOString(),
    finishedAt: null,
  };
  await page.route('**/usage-updates', (route) => route.fulfill({ json: { data: [update] } }));
  await page.route('**/cancel', (route) => {
    update.status = 'cancelled';
    return route.fulfill({ json: update });
  });
  await open(`modules/${sample.footerId}/usages`);
  const row = page.getByRole('table', { name: 'Updates' }).getByRole('row').nth(1);
  await row.getByRole('progressbar').waitFor();
  expect(await row.innerText()).toMatch(/1 of 3[^]*could not be changed[^]*too large/);
  await row.getByRole('button', { name: /Cancel/ }).click();
  await dialog().getByRole('button', { name: 'Cancel update' }).click();
  await row.getByText('Cancelled').waitFor();
  await page.unrouteAll();
});

it('lets a viewer read all this, and change nothing', async () => {
  const member = { email: 'viewer@example.com', role: 'viewer' as const };
  await addMember({ client: api.generated, path: { id: workspace.id }, body: member });
  const viewer = await Visitor.signIn(member.email, path(`modules/${sample.footerId}/usages`));
  const main = viewer.page.getByRole('main');
  for (const view of ['usages', 'compare', 'versions/1', '']) {
    await viewer.open(path(`modules/${sample.footerId}/${view}`));
    await viewer.page.getByRole('heading', { name: 'Footer' }).waitFor();
    await viewer.page.waitForLoadState('networkidle');
    const actions = main.getByRole('button', { name: /label|restore|count|move|delete|cancel/i });
    expect(await actions.allInnerTexts()).toEqual([]);
  }
  await viewer.leave();
});

it('says when the module came into use meanwhile', async () => {
  const { page } = ada;
  ada.expectProblems(/status of 409/);
  await open(`modules/${sample.addressId}`);
  await page.route('**/usages?*', (route) =>
    route.fulfill({ json: { data: [], nextCursor: null } }),
  );
  await button('Delete').click();
  await dialog().getByRole('button', { name: 'Delete' }).click();
  await dialog().getByRole('alert').waitFor();
  expect(await dialog().getByRole('checkbox').isVisible()).toBe(true);
  await page.unrouteAll();
});

it('deletes a module in use only after a second choice', async () => {
  await open(`modules/${sample.footerId}`);
  await button('Delete').click();
  await dialog().getByText('2 templates use this module').waitFor();
  const users = await dialog().getByRole('listitem').allInnerTexts();
  expect(users.sort()).toEqual(['Receipt', 'Welcome letter']);
  const confirm = dialog().getByRole('button', { name: 'Delete' });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog().getByRole('checkbox').check();
  await confirm.click();
  await heading('Modules').waitFor();
  await open(`templates/${sample.letterId}?expand=modules`);
  await ada.page.getByText('One module is not shown').waitFor();
});
