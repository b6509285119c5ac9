import { beforeAll, expect, it } from '@jest/globals';
import { createWorkspace } from '#client';
import { expectGoodAppearance } from './support/appearances.js';
import { clientFor, galleyUrl } from './support/stack.js';
import { NARROW, useBrowser, Visitor } from './support/visitor.js';

let workspaceId: string;
let ada: Visitor;

// Shows scroll bars that take room, as on most desktops. The pictures of the other tests have none.
useBrowser({ ignoreDefaultArgs: ['--hide-scrollbars'] });
beforeAll(async () => {
  const { generated: client } = await clientFor('ada@example.com');
  const { data } = await createWorkspace({ client, body: { name: 'Kitchen' } });
  workspaceId = data.id;
  ada = await Visitor.signIn('ada@example.com', `/settings/w/${workspaceId}/members`);
});

const heading = (name: string) => ada.page.getByRole('heading', { level: 1, name });

it('shows the view that was asked for before the sign-in', async () => {
  await heading('Members').waitFor();
  expect(ada.page.url()).toBe(`${galleyUrl}/settings/w/${workspaceId}/members`);
  expect(await ada.page.title()).toBe('Members · Galley');
});

it('leads to every view by its navigation', async () => {
  const navigation = ada.page.getByRole('navigation');
  for (const name of ['Webhooks', 'Events', 'Templates', 'Modules', 'API keys', 'Audit log']) {
    await navigation.getByRole('link', { name }).click();
    await heading(name).waitFor();
    expect(await ada.page.title()).toBe(`${name} · Galley`);
  }
});

it('lets the keyboard skip the navigation', async () => {
  await ada.open(`/settings/w/${workspaceId}/members`);
  await heading('Members').waitFor();
  await ada.page.keyboard.press('Tab');
  const focused = ada.page.locator(':focus');
  expect(await focused.innerText()).toBe('Skip to content');
  await ada.page.keyboard.press('Enter');
  expect(await focused.getAttribute('id')).toBe('content');
});

it('does not move when a dialog opens', async () => {
  const button = ada.page.getByRole('button', { name: 'Invite member' });
  const dialog = ada.page.getByRole('dialog', { name: 'Invite a member' });
  const position = await button.boundingBox();
  await button.click();
  await dialog.waitFor();
  const positionBehindDialog = await button.boundingBox();
  await ada.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(positionBehindDialog).toEqual(position);
});

it('creates a workspace from the menu of workspaces, and opens it', async () => {
  const { page } = ada;
  await page.getByRole('button', { name: /^Switch workspace/ }).click();
  await page.getByRole('menuitem', { name: 'Create workspace' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create workspace' });
  await dialog.waitFor();
  await page.locator('[role=menu]').waitFor({ state: 'detached' });
  expect(await ada.focusedName()).toBe('Name');
  await page.keyboard.type('Bakery');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Switch workspace: Bakery' }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await heading('Webhooks').waitFor();
});

it('has a menu on a narrow screen', async () => {
  await ada.page.setViewportSize(NARROW);
  const link = ada.page.getByRole('navigation').getByRole('link', { name: 'Templates' });
  await link.waitFor({ state: 'hidden' });
  await ada.page.getByRole('button', { name: 'Menu', exact: true }).click();
  await link.click();
  await heading('Templates').waitFor();
  await link.waitFor({ state: 'hidden' });
});

it('remembers the colours that somebody chose', async () => {
  const { page } = ada;
  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  expect(await scheme()).toBe('light');
  await choose('Dark');
  await page.reload();
  await heading('Templates').waitFor();
  expect(await scheme()).toBe('dark');
  await choose('System');
  expect(await scheme()).toBe('light');
});

it.each([
  ['a view that does not exist', () => `w/${workspaceId}/nothing`],
  ['a workspace that does not exist', () => 'w/00000000-0000-4000-8000-000000000000/members'],
])('says so at %s', async (name, path) => {
  ada.expectProblems(/status of 404/);
  await ada.open(`/settings/${path()}`);
  await ada.page.getByRole('heading', { name: 'Not found' }).waitFor();
  await expectGoodAppearance(ada.page, name.replaceAll(' ', '-'));
});

it('signs out, and asks for the sign-in again', async () => {
  const { page } = ada;
  await ada.open(`/settings/w/${workspaceId}/members`);
  await heading('Members').waitFor();
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading('You are signed out').waitFor();
  await expectGoodAppearance(page, 'signed-out');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Email address').waitFor();
  await expectGoodAppearance(page, 'sign-in');
});
