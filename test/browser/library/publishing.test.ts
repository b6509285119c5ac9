import { beforeAll, expect, it } from '@jest/globals';
import {
  addMember,
  createEnvironment,
  createWorkspace,
  deleteEnvironment,
  getPublishedTemplate,
  publishTemplate,
  unpublishTemplate,
  type Workspace,
} from '#client';
import type { Client } from '../../support/api/client.js';
import { createSampleLibrary, type SampleLibrary } from '../support/sample-library.js';
import { createSamplePublications } from '../support/sample-publications.js';
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
  await createSamplePublications(api, workspace.id, sample.letterId);
  ada = await Visitor.signIn(EMAIL, path('templates'));
});

const path = (view: string) => `/settings/w/${workspace.id}/${view}`;
const open = (view: string) => ada.open(path(view));
const button = (name: string | RegExp) => ada.page.getByRole('button', { name, exact: true });
const dialog = () => ada.page.getByRole('dialog');
const table = (name: string) => ada.page.getByRole('table', { name });
const entryOf = (environment: string) =>
  ada.page
    .getByRole('list', { name: 'Environments of the workspace' })
    .getByRole('listitem')
    .filter({ hasText: new RegExp(`^${environment}`) });

/** The value of an input of the type datetime-local. */
function localTime(milliseconds: number): string {
  const time = new Date(Date.now() + milliseconds);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

async function publishedVersion(environment: string): Promise<number> {
  const request = { client: api.generated, path: { id: sample.letterId }, query: { environment } };
  return (await getPublishedTemplate(request)).data.version;
}

it('marks the published versions in the list of versions', async () => {
  await open(`templates/${sample.letterId}`);
  const versions = ada.page.getByRole('list', { name: 'Versions, newest first' });
  await versions.getByText('production').waitFor();
  const entries = await versions.getByRole('listitem').allInnerTexts();
  expect(entries[0]).toMatch(/^Version 2\s+Latest\s+Published in\s+staging\s+approved/);
  expect(entries[1]).toMatch(/^Version 1\s+Published in\s+production/);
});

it('says what is published where, since when, by whom and why', async () => {
  await ada.page.getByRole('link', { name: 'Publishing' }).click();
  await entryOf('production').getByText('Version 1').waitFor();
  expect(await ada.page.title()).toBe('Publications of Welcome letter · Galley');
  expect(await entryOf('production').innerText()).toMatch(
    /^production\s+Version 1, published .* by Ada\s+Spring campaign\./,
  );
  expect(await entryOf('staging').innerText()).toMatch(/^staging\s+Version 2, /);
  const scheduled = table('Scheduled').getByRole('row', { name: /^Version 2 production/ });
  expect(await scheduled.innerText()).toMatch(
    /Mar 20, 2099[^]*in [\d,]+ days[^]*The summer menu\./,
  );
  const entries = table('History').getByRole('row');
  await entries.nth(2).waitFor();
  expect(await entries.count()).toBe(3);
});

it('publishes an earlier version from its page', async () => {
  await open(`templates/${sample.letterId}/versions/1`);
  await button('Publish this version').click();
  const select = dialog().getByRole('combobox', { name: 'Environment' });
  expect(await select.inputValue()).toBe('production');
  expect(await dialog().getByRole('combobox', { name: 'Version' }).inputValue()).toBe('Version 1');
  await dialog().getByText('already published in production').waitFor();
  expect(await dialog().getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
  await select.selectOption('staging');
  await dialog().getByText('Version 2 is currently published in staging.').waitFor();
  await dialog().getByLabel('Note').fill('Compare with last year.');
  await dialog().getByRole('button', { name: 'Publish' }).click();
  await dialog().waitFor({ state: 'hidden' });
  expect(await ada.focusedName()).toBe('Publish this version');
  expect(await publishedVersion('staging')).toBe(1);
  const versions = ada.page.getByRole('list', { name: 'Versions, newest first' });
  const first = versions.getByRole('listitem').filter({ hasText: 'Version 1' });
  await first.getByText('staging').waitFor();
});

it('publishes the latest version, and adds it to the history', async () => {
  await open(`templates/${sample.letterId}/publishing`);
  await button('Publish to production').click();
  await dialog().getByText('Version 1 is currently published in production.').waitFor();
  await dialog().getByLabel('Note').fill('Ready for customers.');
  await dialog().getByRole('button', { name: 'Publish' }).click();
  await entryOf('production').getByText('Version 2').waitFor();
  const row = /^Published version 2 production .* Ready for customers\.$/;
  await table('History').getByRole('row', { name: row }).waitFor();
  expect(await publishedVersion('production')).toBe(2);
});

it('schedules a publication, and shows it as published when its time comes', async () => {
  await button('Publish to staging').click();
  await dialog().getByRole('radio', { name: 'At a later time' }).check();
  await dialog().getByRole('button', { name: 'Schedule' }).click();
  await dialog().getByText('Choose a time in the future.').waitFor();
  const time = dialog().getByLabel(/^Time/);
  await time.fill(localTime(-60_000));
  await dialog().getByRole('button', { name: 'Schedule' }).click();
  await dialog().getByText('Choose a time in the future.').waitFor();
  await time.fill(localTime(3_600_000));
  await dialog().getByRole('button', { name: 'Schedule' }).click();
  await table('Scheduled')
    .getByRole('row', { name: /^Version 2 staging .*in \d+ minutes/ })
    .waitFor();

  const at = new Date(Date.now() + 4_000).toISOString();
  const body = { environment: 'staging', version: 2, at, note: 'Soon' };
  await publishTemplate({ client: api.generated, path: { id: sample.letterId }, body });
  await ada.page.reload();
  const soon = table('Scheduled').getByRole('row', { name: /Soon/ });
  await soon.waitFor();
  await entryOf('staging').getByText('Version 2').waitFor();
  await soon.waitFor({ state: 'hidden' });
});

it('cancels what is scheduled', async () => {
  const row = table('Scheduled').getByRole('row', { name: /^Version 2 production/ });
  await row.getByRole('button').click();
  await dialog().getByText('Galley will not publish version 2 in production.').waitFor();
  await dialog().getByRole('button', { name: 'Cancel publication' }).click();
  await row.waitFor({ state: 'hidden' });
  await dialog().waitFor({ state: 'hidden' });
  expect(await ada.focusedName()).toBe('Scheduled');
});

it('unpublishes, with a note', async () => {
  await button('Unpublish from staging').click();
  await dialog().getByLabel('Note').fill('The campaign is over.');
  await dialog().getByRole('button', { name: 'Unpublish' }).click();
  await entryOf('staging').getByText('Nothing is published here.').waitFor();
  await dialog().waitFor({ state: 'hidden' });
  expect(await ada.focusedName()).toBe('Publish');
  const row = /^Unpublished staging .* The campaign is over\.$/;
  await table('History').getByRole('row', { name: row }).waitFor();
  await ada.page.getByRole('combobox', { name: 'Show' }).selectOption('production');
  await table('History').getByRole('row', { name: row }).waitFor({ state: 'hidden' });
});

it('compares what is published with another version', async () => {
  const { page } = ada;
  await publishTemplate({
    client: api.generated,
    path: { id: sample.letterId },
    body: { version: 1, environment: 'staging' },
  });
  await open(`templates/${sample.letterId}/publishing`);
  await page.getByRole('link', { name: /^Compare with .* version \(2\): .* staging/ }).click();
  const before = page.getByRole('combobox', { name: 'Before' });
  await before.waitFor();
  expect(await before.inputValue()).toBe('staging (version 1)');
  expect(page.url()).toContain('compare?from=staging&to=2');
  expect(await page.title()).toBe('staging and Version 2 of Welcome letter · Galley');
  await page.getByRole('list', { name: 'Changes' }).waitFor();
  await before.click();
  await page.getByRole('option', { name: 'production (version 2)' }).click();
  await page.getByRole('heading', { name: 'Both versions are the same' }).waitFor();
  expect(page.url()).toContain('compare?from=production&to=2');
  await open(`templates/${sample.letterId}/compare?from=testing`);
  await page.getByRole('heading', { name: 'Nothing is published in testing' }).waitFor();
});

it('says when somebody else was faster', async () => {
  ada.expectProblems(/status of 404/);
  await open(`templates/${sample.letterId}/publishing`);
  await button('Unpublish from production').click();
  const body = { environment: 'production' };
  await unpublishTemplate({ client: api.generated, path: { id: sample.letterId }, body });
  await dialog().getByRole('button', { name: 'Unpublish' }).click();
  await dialog().getByText('Somebody else has already unpublished the template').waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await entryOf('production').getByText('Nothing is published here.').waitFor();
});

it('says when the environment is deleted meanwhile', async () => {
  ada.expectProblems(/status of 404/);
  await button('Publish to staging').click();
  const environment = { id: workspace.id, environment: 'staging' };
  await deleteEnvironment({ client: api.generated, path: environment, query: { force: true } });
  await dialog().getByRole('button', { name: 'Publish' }).click();
  await dialog().getByText('There is no such environment.').waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await entryOf('staging').waitFor({ state: 'hidden' });
});

it('adds an environment, unless it exists already', async () => {
  const { page } = ada;
  await page.getByRole('link', { name: 'Environments' }).click();
  const rows = table('Environments of the workspace').getByRole('row');
  await rows.filter({ hasText: 'production' }).waitFor();
  expect(await rows.getByRole('button').count()).toBe(0);
  await button('Add environment').click();
  const name = dialog().getByLabel(/^Name/);
  await name.fill('Testing');
  await dialog().getByRole('button', { name: 'Add environment' }).click();
  await dialog().getByText('Use 1 to 32 lowercase letters, digits and hyphens.').waitFor();
  await name.fill('production');
  await name.press('Enter');
  await dialog().getByText('An environment with this name already exists.').waitFor();
  const body = { name: 'testing' };
  const { id } = workspace;
  await createEnvironment({ client: api.generated, path: { id }, body });
  ada.expectProblems(/status of 409/);
  await name.fill('testing');
  await name.press('Enter');
  await dialog().getByText('The environment already exists.').waitFor();
  await name.fill('preview');
  await name.press('Enter');
  await dialog().waitFor({ state: 'hidden' });
  await rows.filter({ hasText: 'preview' }).getByText('Ada').waitFor();
});

it('creates an API key that reads only what is published in an environment', async () => {
  const { page } = ada;
  await page.getByRole('link', { name: 'API keys' }).click();
  await button('Create API key').click();
  await dialog().getByLabel(/^Name/).fill('Newsletter service');
  await dialog().getByRole('radio', { name: 'Editor' }).check();
  const access = dialog().getByRole('combobox', { name: 'Access' });
  await access.selectOption('Only what is published in preview');
  await dialog().getByRole('radio', { name: 'Editor' }).waitFor({ state: 'hidden' });
  await dialog().getByRole('button', { name: 'Create API key' }).click();
  await dialog().getByText('/published?environment=preview').waitFor();
  await dialog().getByRole('button', { name: 'I have copied the key' }).click();
  const row = table('API keys of the workspace').getByRole('row', { name: /^Newsletter service/ });
  await row.getByText('Reads only what is published in preview').waitFor();
});

it('deletes an environment in use only after a second choice', async () => {
  const { page } = ada;
  ada.expectProblems(/status of 409/);
  const body = { version: 1, environment: 'preview' };
  await publishTemplate({ client: api.generated, path: { id: sample.letterId }, body });
  await page.getByRole('link', { name: 'Environments' }).click();
  await button('Delete preview').click();
  await dialog().getByRole('listitem').filter({ hasText: 'Newsletter service' }).waitFor();
  const confirm = dialog().getByRole('button', { name: 'Delete' });
  await confirm.click();
  await dialog().getByRole('alert').getByText('The environment is in use').waitFor();
  expect(await confirm.isDisabled()).toBe(true);
  await dialog().getByRole('checkbox').check();
  await confirm.click();
  await dialog().waitFor({ state: 'hidden' });
  const rows = table('Environments of the workspace').getByRole('row');
  await rows.filter({ hasText: 'preview' }).waitFor({ state: 'hidden' });
  expect(await ada.focusedName()).toBe('Add environment');
});

it('lets a viewer read all this, and change nothing', async () => {
  const member = { email: 'viewer@example.com', role: 'viewer' as const };
  await addMember({ client: api.generated, path: { id: workspace.id }, body: member });
  const viewer = await Visitor.signIn(member.email, path(`templates/${sample.letterId}`));
  const main = viewer.page.getByRole('main');
  for (const view of ['', 'versions/1', 'publishing']) {
    await viewer.open(path(`templates/${sample.letterId}/${view}`));
    await viewer.page.getByRole('heading', { name: 'Welcome letter' }).waitFor();
    await viewer.page.waitForLoadState('networkidle');
    const actions = main.getByRole('button', { name: /publish|schedule|cancel/i });
    expect(await actions.allInnerTexts()).toEqual([]);
  }
  await viewer.page.getByRole('table', { name: 'History' }).waitFor();
  await viewer.open(path('environments'));
  await viewer.page.getByRole('row', { name: /^testing/ }).waitFor();
  expect(await main.getByRole('button').allInnerTexts()).toEqual([]);
  await viewer.leave();
});
