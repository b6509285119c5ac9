import { beforeAll, expect, it } from '@jest/globals';
import { createTemplate, createWorkspace, getTemplateTranslations } from '#client';
import type { Client } from '../../support/api/client.js';
import { documentOf, text } from '../../support/api/drawable.js';
import { clientFor } from '../support/stack.js';
import { useBrowser, Visitor } from '../support/visitor.js';

const EMAIL = 'ada@example.com';
let ada: Visitor;
let api: Client;
let id: string;

useBrowser();
beforeAll(async () => {
  api = await clientFor(EMAIL);
  const client = api.generated;
  const { id: workspaceId } = (await createWorkspace({ client, body: { name: 'Post' } })).data;
  const greeting = { ...text('Good morning'), id: 'greeting' };
  const content = { ...documentOf(greeting), language: 'en', subject: 'Fresh bread' };
  const body = { workspaceId, name: 'News', content };
  id = (await createTemplate({ client, body })).data.id;
  ada = await Visitor.signIn(EMAIL, `/settings/w/${workspaceId}/templates/${id}`);
});

const textsIn = async (language: string) => {
  const path = { id, language };
  const { data } = await getTemplateTranslations({ client: api.generated, path });
  return Object.fromEntries(data.texts.map((each) => [each.id, each.text]));
};
const translation = (source: string) =>
  ada.page.getByRole('textbox', { name: `Translation of “${source}”` });

it('translates a template into a new language', async () => {
  await ada.page.getByRole('link', { name: 'Languages' }).click();
  await ada.page.getByRole('heading', { name: 'No translations' }).waitFor();
  expect(await ada.page.title()).toBe('Languages of News · Galley');
  await ada.page.getByLabel('Another language').fill('pt');
  await ada.page.getByRole('button', { name: 'Translate' }).click();
  await translation('Good morning').fill('Bom dia');
  await ada.page.getByRole('button', { name: 'Save' }).click();
  await ada.page.getByText('Saved as version 2.').waitFor();
  await ada.page.getByRole('cell', { name: '1 of 2' }).waitFor();
  expect(await textsIn('pt')).toEqual({ subject: null, 'greeting/content': 'Bom dia' });
});

it('stores a file of a translator, and says what does not match', async () => {
  const upload = (content: string) => {
    const file = { name: 'news.csv', mimeType: 'text/csv', buffer: Buffer.from(content) };
    return ada.page.locator('input[type="file"]').setInputFiles(file);
  };
  await upload('id,source,text\nsubject,Stale bread,Pão\n');
  await ada.page.getByText('is not the source of this translation any more').waitFor();
  await upload('id,source,text\nsubject,Fresh bread,Pão fresco\n');
  await ada.page.getByText('Saved as version 3.').waitFor();
  expect(await textsIn('pt')).toEqual({ subject: 'Pão fresco', 'greeting/content': 'Bom dia' });
});

it('downloads a file for a translator', async () => {
  const download = ada.page.waitForEvent('download');
  await ada.page.getByRole('button', { name: 'Download XLIFF' }).click();
  expect((await download).suggestedFilename()).toBe('pt.xlf');
});

it('shows the email in a language', async () => {
  await ada.page.getByRole('link', { name: 'Preview' }).click();
  await ada.page.getByLabel('Language').click();
  await ada.page.getByRole('option', { name: 'pt' }).click();
  const email = ada.page.frameLocator('iframe[title^="The email of version"]');
  await email.getByText('Bom dia').waitFor();
  await ada.page.getByText('Pão fresco').waitFor();
});
