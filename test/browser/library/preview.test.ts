import { beforeAll, expect, it } from '@jest/globals';
import {
  createModule,
  createTemplate,
  createWorkspace,
  updateTemplate,
  type Workspace,
} from '#client';
import type { Client } from '../../support/api/client.js';
import { documentOf, text } from '../../support/api/drawable.js';
import { clientFor } from '../support/stack.js';
import { useBrowser, Visitor } from '../support/visitor.js';

const EMAIL = 'ada@example.com';
let ada: Visitor;
let api: Client;
let workspace: Workspace;
let templateId: string;

useBrowser();
beforeAll(async () => {
  api = await clientFor(EMAIL);
  const client = api.generated;
  workspace = (await createWorkspace({ client, body: { name: 'Post' } })).data;
  const line = { ...text('{{line.name}}'), repeat: 'line in order.lines' };
  const contents = [
    documentOf(text('The first version')),
    documentOf(
      text('Hello {{user.name | default: "friend"}}'),
      line,
      { id: 'clock', type: 'poll' },
      { id: 'go', type: 'button', props: { content: 'Open' } },
    ),
  ];
  const body = { workspaceId: workspace.id, name: 'Receipt', content: contents[0] };
  templateId = (await createTemplate({ client, body })).data.id;
  const content = {
    ...contents[1],
    fromName: 'Tea shop',
    subject: 'A receipt for {{user.name | default: "you"}}',
  };
  await updateTemplate({ client, path: { id: templateId }, body: { content } });
  ada = await Visitor.signIn(EMAIL, `/settings/w/${workspace.id}/templates/${templateId}`);
});

const email = () => ada.page.frameLocator('iframe[title^="The email of version"]');
const frame = () => ada.page.locator('iframe[title^="The email of version"]');
const evaluate = (script: string) =>
  email().locator('body').evaluate<string, undefined>(script, undefined);
const choose = (name: string) => ada.page.getByText(name, { exact: true }).click();

it('shows the latest version as an email, in a frame with an origin of its own', async () => {
  await ada.page.getByRole('link', { name: 'Preview' }).click();
  await email().getByText('Hello {{user.name | default: "friend"}}').waitFor();
  expect(await ada.page.title()).toBe('Preview of Receipt · Galley');
  expect(await frame().getAttribute('sandbox')).toBe('allow-scripts');
  expect(await evaluate('self.origin')).toBe('null');
  // The frame is as high as the email.
  await ada.page.waitForFunction(`document.querySelector('iframe').clientHeight < 480`);
});

it('shows the sender and the subject as a list of emails does', async () => {
  const line = ada.page.getByRole('region', { name: 'In the list of emails' });
  expect(await line.innerText()).toMatch(
    /^Tea shop\s+A receipt for \{\{user.name \| default: "you"\}\}$/,
  );
});

it('names the blocks that the email does not show', async () => {
  await ada.page.getByText('A block of the unknown type poll is left out.').waitFor();
  await ada.page.getByText('Block clock · stripe 1, column 1, block 3').waitFor();
  // The errors come first, and the numbers stand beside the blocks.
  const error = ada.page.getByRole('listitem').filter({ hasText: 'The link leads nowhere.' });
  expect(await error.innerText()).toMatch(/^1\s+Error\s+Block go · /);
  // The number beside the block is shown while the user points at the finding, and when the user asks for all numbers.
  const number = email().getByText('1', { exact: true });
  expect(await number.count()).toBe(0);
  await error.hover();
  await number.waitFor();
  await ada.page.getByRole('heading', { name: 'Findings' }).hover();
  await number.waitFor({ state: 'detached' });
  await ada.page.getByRole('button', { name: 'Show finding 1 in the email' }).focus();
  await number.waitFor();
  await ada.page.getByRole('switch', { name: 'Mark all findings' }).click();
  await number.waitFor();
  await ada.page.getByRole('switch', { name: 'Mark all findings' }).click();
  await number.waitFor({ state: 'detached' });
  const finding = ada.page.getByRole('listitem').filter({ hasText: 'unknown type poll' });
  expect(await finding.innerText()).toMatch(/^\d+\s+Warning/);
});

it('shows the email on a phone, in inverted colours, and as plain text', async () => {
  await choose('Phone');
  await ada.page.waitForFunction(`document.querySelector('iframe').clientWidth === 375`);
  await ada.page.getByRole('switch', { name: 'Dark mode' }).click();
  await ada.page
    .frames()[1]
    ?.waitForFunction(`getComputedStyle(document.documentElement).filter.startsWith('invert(1)')`);
  await choose('Plain text');
  const plain = ada.page.getByRole('region', { name: 'Plain text' });
  expect(await plain.innerText()).toContain('Hello {{user.name | default: "friend"}}');
  expect(ada.page.url()).toContain('view=text');
});

it('fills in data', async () => {
  await choose('Desktop');
  await ada.page.getByRole('button', { name: 'Fill in sample values' }).click();
  await email().getByText('Hello name').waitFor();
  const data = { order: { lines: [{ name: 'Tea' }, { name: '<b>Cake</b>' }, {}] } };
  await ada.page.getByLabel('Values as JSON').fill(JSON.stringify(data));
  await email().getByText('Hello friend').waitFor();
  await email().getByText('Tea').waitFor();
  await email().getByText('<b>Cake</b>').waitFor();
  await ada.page.getByText('1 variable without a value: order.lines[].name').waitFor();
  await ada.page.getByLabel('Values as JSON').fill('{ "user": ');
  await ada.page.getByText('This is not a JSON object.').waitFor();
  expect(await email().getByText('Tea').count()).toBe(1);
  await ada.page.getByRole('button', { name: 'Clear' }).click();
  await email().getByText('Hello {{user.name').waitFor();
});

it('shows an earlier version, which the URL names', async () => {
  await ada.page.getByRole('combobox', { name: 'Version' }).click();
  await ada.page.getByRole('option', { name: 'Version 1' }).click();
  await email().getByText('The first version').waitFor();
  expect(ada.page.url()).toContain('version=1');
  await ada.page.reload();
  await email().getByText('The first version').waitFor();
  await ada.page.getByText('The email has no merge tags').waitFor();
});

it('shows both emails of a comparison', async () => {
  await ada.page.getByRole('link', { name: 'Compare', exact: true }).click();
  await ada.page.getByRole('button', { name: 'Show both emails' }).click();
  const emailOf = (version: number) => ada.page.frameLocator(`iframe[title$="version ${version}"]`);
  await emailOf(1).getByText('The first version').waitFor();
  await emailOf(2).getByText('Hello {{user.name').waitFor();
  // Columns stand side by side in windows of at least 480 pixels.
  const width = await emailOf(2)
    .locator('body')
    .evaluate<number, undefined>('innerWidth', undefined);
  expect(width).toBe(680);
  await ada.page.getByRole('link', { name: 'Preview' }).click();
  await email().getByText('Hello {{user.name').waitFor();
});

it('shows a module alone, and leads to the templates that use it', async () => {
  const client = api.generated;
  const content = { type: 'text', props: { content: 'Our address, {{city}}' } };
  const base = { workspaceId: workspace.id };
  const module = (await createModule({ client, body: { ...base, name: 'Address', content } })).data;
  const reference = { type: 'module', moduleId: module.id };
  const using = { stripes: [{ containers: [{ blocks: [text('Before'), reference] }] }] };
  await createTemplate({ client, body: { ...base, name: 'Letter', content: using } });
  await ada.open(`/settings/w/${workspace.id}/modules/${module.id}`);
  await ada.page.getByRole('link', { name: 'Preview' }).click();
  await email().getByText('Our address, {{city}}').waitFor();
  expect(await ada.page.title()).toBe('Preview of Address · Galley');
  // The module is no email, so it needs no language.
  await ada.page.getByText('The merge tag {{city}} has no default.').waitFor();
  expect(await ada.page.getByText(/language/).count()).toBe(0);
  await ada.page.getByRole('link', { name: 'Letter' }).click();
  await email().getByText('Before').waitFor();
  await ada.open(`/settings/w/${workspace.id}/templates/${templateId}/preview`);
  await email().getByText('Hello {{user.name').waitFor();
});

it('runs no script of an email, and follows no link', async () => {
  ada.expectProblems(/Content Security Policy/);
  const html = `<p>Attack</p><a href="https://example.com/">Link</a><script>self.attacked = 1</script>
    <img src="data:," onerror="self.attacked = 1"><form action="/x"><button>Send</button></form>`;
  const message = JSON.stringify({ html, isDark: false });
  await ada.page.evaluate(
    `document.querySelector('iframe').contentWindow.postMessage(${message}, '*')`,
  );
  await email().getByText('Attack').waitFor();
  await email().getByText('Link').click();
  await email().getByText('Send').click();
  await email().getByText('Attack').waitFor();
  expect(await evaluate('String(self.attacked)')).toBe('undefined');
});

it('shows the new latest version after a restore', async () => {
  const { page } = ada;
  await ada.open(`/settings/w/${workspace.id}/templates/${templateId}/preview`);
  await email().getByText('Hello {{user.name').waitFor();
  await page.getByRole('link', { name: 'Document', exact: true }).click();
  await page.getByRole('link', { name: /^Version 1/ }).click();
  await page.getByRole('button', { name: 'Restore this version' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Latest version: 3').waitFor();
  await page.getByRole('link', { name: 'Preview', exact: true }).click();
  await email().getByText('The first version').waitFor();
});

it('says why a document cannot be shown', async () => {
  ada.expectProblems(/status of 400/);
  const body = { workspaceId: workspace.id, name: 'Foreign', content: { pages: [] } };
  const { id } = (await createTemplate({ client: api.generated, body })).data;
  await ada.open(`/settings/w/${workspace.id}/templates/${id}/preview`);
  await ada.page.getByText('The document cannot be rendered: it has no stripes array.').waitFor();
});
