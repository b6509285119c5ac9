import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from '@jest/globals';
import { createWorkspace, listTemplates } from '#client';
import type { Client } from '../../support/api/client.js';
import { expectGoodAppearance } from '../support/appearances.js';
import { clientFor } from '../support/stack.js';
import { useBrowser, Visitor } from '../support/visitor.js';

const EMAIL = 'ada@example.com';
const MJML =
  '<mjml><mj-head><mj-title>Letter</mj-title></mj-head><mj-body><mj-section><mj-column><mj-text>Hello from the lake</mj-text><mj-raw><b>Raw</b></mj-raw></mj-column></mj-section></mj-body></mjml>';

let api: Client;
let workspaceId: string;
let ada: Visitor;

useBrowser();
beforeAll(async () => {
  api = await clientFor(EMAIL);
  const { data } = await createWorkspace({ client: api.generated, body: { name: 'Imports' } });
  workspaceId = data.id;
  ada = await Visitor.signIn(EMAIL, `/settings/w/${workspaceId}/templates`);
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" />';
  await ada.page.route('https://example.com/**', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: picture }),
  );
});

it('a pasted email becomes a template', async () => {
  const { page } = ada;
  await page.getByRole('link', { name: 'Import' }).click();
  await page.getByRole('heading', { level: 1, name: 'Import a template' }).waitFor();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Paste or choose the content first.').waitFor();
  await page.getByLabel('Content').fill(MJML);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Kept as HTML').waitFor();
  const email = page.frameLocator('iframe[title="The imported email"]');
  await email.getByText('Hello from the lake').waitFor();
  await expectGoodAppearance(page, 'template-imported');
  const name = page.getByLabel('Name of the template');
  expect(await name.inputValue()).toBe('Letter');
  await name.fill('Letter from the lake');
  await page.getByRole('button', { name: 'Save as a template' }).click();
  await page.getByRole('heading', { level: 1, name: 'Letter from the lake' }).waitFor();
  const query = { workspaceId };
  const { data } = await listTemplates({ client: api.generated, query });
  expect(data.data).toMatchObject([{ name: 'Letter from the lake' }]);
});

it('a file says its format', async () => {
  const { page } = ada;
  await ada.open(`/settings/w/${workspaceId}/templates/import`);
  const html = '<html><head><title>Offer</title></head><body><p>Our offer</p></body></html>';
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'offer.html', mimeType: 'text/html', buffer: Buffer.from(html) });
  await page.waitForFunction(`document.querySelector('select').value === 'html'`);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.frameLocator('iframe').getByText('Our offer').waitFor();
});

it('a dropped file of an editor is imported', async () => {
  const { page } = ada;
  await ada.open(`/settings/w/${workspaceId}/templates/import`);
  const json = readFileSync('test/samples/imports/unlayer.json', 'utf8');
  await page.getByLabel('Content').waitFor();
  await page.evaluate(`(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([${JSON.stringify(json)}], 'design.json'));
    const options = { dataTransfer, bubbles: true, cancelable: true };
    document.querySelector('textarea').dispatchEvent(new DragEvent('drop', options));
  })()`);
  await page.getByLabel('Format').selectOption('unlayer');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Galley does not know contents of the type timer of Unlayer.').waitFor();
});

it('an email that is none gets the reason', async () => {
  const { page } = ada;
  ada.expectProblems(/status of 400/);
  await ada.open(`/settings/w/${workspaceId}/templates/import`);
  await page.getByLabel('Content').fill('Hello');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('it does not begin with an mjml element').waitFor();
});
