import { beforeAll, expect, it } from '@jest/globals';
import { addMember, createWorkspace, listTemplates, renderTemplate } from '#client';
import type { Client } from '../../support/api/client.js';
import { expectGoodAppearance } from '../support/appearances.js';
import { clientFor } from '../support/stack.js';
import { useBrowser, Visitor } from '../support/visitor.js';

const EMAIL = 'ada@example.com';
const NAMES = [
  'Event',
  'Invitation',
  'Invoice in Arabic',
  'Letter',
  'Newsletter',
  'Password reset',
  'Receipt',
  'Shipping confirmation',
  'Weekly digest',
  'Welcome',
];

let api: Client;
let workspaceId: string;
let path: string;

useBrowser();
beforeAll(async () => {
  api = await clientFor(EMAIL);
  const { data } = await createWorkspace({ client: api.generated, body: { name: 'New' } });
  workspaceId = data.id;
  path = `/settings/w/${workspaceId}/templates`;
});

it('a viewer of an empty workspace is offered no samples', async () => {
  const member = { email: 'viewer@example.com', role: 'viewer' as const };
  await addMember({ client: api.generated, path: { id: workspaceId }, body: member });
  const { page } = await Visitor.signIn(member.email, path);
  await page.getByRole('heading', { name: 'No templates yet' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(await page.getByRole('button', { name: 'Add sample templates' }).count()).toBe(0);
});

it('an editor adds the samples to an empty workspace', async () => {
  const { page } = await Visitor.signIn(EMAIL, path);
  const add = page.getByRole('button', { name: 'Add sample templates' });
  await add.waitFor();
  await expectGoodAppearance(page, 'templates-empty');
  await add.click();
  await page.getByText('10 sample templates have been added.').waitFor();
  const rows = page.getByRole('table', { name: 'Templates of the workspace' }).getByRole('row');
  await rows.nth(10).waitFor();
  expect(await page.getByRole('row').getByRole('link').allInnerTexts()).toEqual(
    expect.arrayContaining(NAMES),
  );
  expect(await add.count()).toBe(0);
  await page.getByRole('link', { name: 'Receipt' }).click();
  await page.getByRole('heading', { level: 1, name: 'Receipt' }).waitFor();
});

it('Galley draws the samples', async () => {
  const client = api.generated;
  const { data } = await listTemplates({ client, query: { workspaceId, content: false } });
  expect(data.data.map(({ name }) => name).toSorted()).toEqual(NAMES);
  for (const { id } of data.data) {
    const { data: rendered } = await renderTemplate({ client, path: { id }, body: {} });
    expect([rendered.warnings, rendered.html]).toEqual([[], expect.stringContaining('<h1')]);
  }
});
