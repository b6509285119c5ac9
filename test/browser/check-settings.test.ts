import { beforeAll, expect, it } from '@jest/globals';
import {
  addMember,
  changeCheckSettings,
  createTemplate,
  createWorkspace,
  getCheckSettings,
  type Workspace,
} from '#client';
import type { Client } from '../support/api/client.js';
import { documentOf, text } from '../support/api/drawable.js';
import { clientFor } from './support/stack.js';
import { useBrowser, Visitor } from './support/visitor.js';

const EMAIL = 'ada@example.com';
let ada: Visitor;
let api: Client;
let workspace: Workspace;

useBrowser();
beforeAll(async () => {
  api = await clientFor(EMAIL);
  workspace = (await createWorkspace({ client: api.generated, body: { name: 'Post' } })).data;
  ada = await Visitor.signIn(EMAIL, path('checks'));
});

const path = (view: string) => `/settings/w/${workspace.id}/${view}`;
const levelOf = (rule: string) => ada.page.getByLabel(`What “${rule}” counts as`);

it('an admin chooses what counts as an error', async () => {
  await levelOf('Alt missing').selectOption('Error');
  await levelOf('Title missing').selectOption('Off');
  await ada.page.getByRole('switch', { name: 'Block publishing of versions with errors' }).click();
  await ada.page.waitForLoadState('networkidle');
  await ada.page.reload();
  expect(await levelOf('Alt missing').inputValue()).toBe('error');
  expect(await levelOf('Title missing').inputValue()).toBe('off');
  expect(await levelOf('Link empty').inputValue()).toBe('default');
  expect(await ada.page.getByRole('switch').isChecked()).toBe(true);
});

it('an admin does not overwrite what another admin has set meanwhile', async () => {
  ada.expectProblems(/status of 412/);
  const request = { client: api.generated, path: { id: workspace.id } };
  const { levels } = (await getCheckSettings(request)).data;
  const body = { levels: { ...levels, 'heading-missing': 'info' as const } };
  await changeCheckSettings({ ...request, body });
  await levelOf('Alt missing').selectOption('Note');
  await ada.page.getByText('your choice was not saved').waitFor();
  expect(await levelOf('Heading missing').inputValue()).toBe('info');
  expect(await levelOf('Alt missing').inputValue()).toBe('error');
  await levelOf('Alt missing').selectOption('Note');
  await ada.page.getByText('your choice was not saved').waitFor({ state: 'hidden' });
  await ada.page.waitForLoadState('networkidle');
  expect((await getCheckSettings(request)).data.levels).toEqual({
    ...body.levels,
    'alt-missing': 'info',
  });
});

it('a version with errors is not published, and the reader sees why', async () => {
  ada.expectProblems(/status of 409/);
  const content = documentOf(text('<a href="#">Our offers</a>'));
  const body = { workspaceId: workspace.id, name: 'Offers', content };
  const { id } = (await createTemplate({ client: api.generated, body })).data;
  await ada.open(path(`templates/${id}/publishing`));
  await ada.page
    .getByRole('button', { name: /^Publish/ })
    .first()
    .click();
  await ada.page
    .getByRole('dialog')
    .getByRole('button', { name: /^Publish/ })
    .click();
  await ada.page.getByText('the workspace does not publish versions with errors').waitFor();
});

it('a viewer sees the levels', async () => {
  const email = 'viewer@example.com';
  const body = { email, role: 'viewer' as const };
  await addMember({ client: api.generated, path: { id: workspace.id }, body });
  const viewer = await Visitor.signIn(email, path('checks'));
  await viewer.page.getByText('A version with errors cannot be published.').waitFor();
  expect(await viewer.page.getByRole('combobox').count()).toBe(0);
  await viewer.leave();
});
