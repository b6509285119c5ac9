import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { documentOf, text } from '../../support/api/drawable.js';
import { createResource } from '../../support/galley/resources.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';

interface Document {
  version: number;
  content: object;
  message: string;
  details: { path: string; message: string }[];
}
interface Rendered {
  text: string;
  html: string;
  subject: string;
  language?: string | null;
}

const galley = useSharedGalley();
let ada: Client;
let workspaceId: string;
let path: string;

const block = {
  ...text('Good morning, {{user.name}}'),
  id: 'greeting',
  translations: { pt: { content: { text: 'Bom dia, {{user.name}}' } } },
};
const content = { ...documentOf(block), language: 'en', subject: 'Fresh bread' };

beforeAll(async () => {
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

beforeEach(async () => {
  const id = await createResource(ada, '/api/templates', { name: 'A', workspaceId, content });
  path = `/api/templates/${id}`;
});

it('renders the texts of a language, and those of more general languages', async () => {
  const render = async (language?: string) => {
    const body = { language, format: 'text', data: { user: { name: 'Ada' } } };
    return (await ada.post<Rendered>(`${path}/render`, body)).body;
  };
  expect(await render('PT_br')).toMatchObject({ text: 'Bom dia, Ada\n', language: 'pt' });
  expect(await render('fr')).toMatchObject({ text: 'Good morning, Ada\n', language: 'en' });
  const plain = await render();
  expect([plain.text, 'language' in plain]).toEqual(['Good morning, Ada\n', false]);
});

it('the direction follows the language', async () => {
  const texts = [{ id: 'greeting/content', text: 'صباح الخير' }];
  await ada.put(`${path}/translations/ar`, { texts });
  const { body } = await ada.post<Rendered>(`${path}/render`, { language: 'ar' });
  expect(body.html).toMatch(/<html[^>]* lang="ar" dir="rtl"/);
});

it('a version has its own translations, and lists what is missing', async () => {
  const texts = [{ id: 'subject', text: 'Pão fresco', source: 'Fresh bread' }];
  const { status, body } = await ada.put<Document>(`${path}/translations/pt`, { texts });
  expect([status, body.version]).toEqual([200, 2]);
  const progress = async (query = '') =>
    (await ada.get<{ languages: object[] }>(`${path}/translations${query}`)).body;
  expect(await progress()).toEqual({
    version: 2,
    sourceLanguage: 'en',
    languages: [{ language: 'pt', texts: 2, translated: 2, outdated: 0 }],
  });
  expect((await progress('?version=1')).languages).toEqual([
    { language: 'pt', texts: 2, translated: 1, outdated: 0 },
  ]);
  const again = await ada.put<Document>(`${path}/translations/pt`, { texts });
  expect(again.body.version).toBe(2);
});

it.each(['xliff', 'csv'])('a file as %s comes back', async (format) => {
  const file = await ada.raw('GET', `${path}/translations/de/${format}`);
  expect(file.headers.get('content-type')).toContain(format === 'csv' ? 'text/csv' : 'xliff+xml');
  const translated = file.text
    .replace('"Fresh bread",""', '"Fresh bread","Frisches Brot"')
    .replace('<source>Fresh bread</source>', '$&<target>Frisches Brot</target>');
  const body = { format, content: translated };
  expect((await ada.put<Document>(`${path}/translations/de`, body)).status).toBe(200);
  const { body: found } = await ada.get<{ texts: object[] }>(`${path}/translations/de`);
  expect(found.texts).toEqual([
    { id: 'subject', source: 'Fresh bread', text: 'Frisches Brot', isOutdated: false },
    {
      id: 'greeting/content',
      source: 'Good morning, {{user.name}}',
      text: null,
      isOutdated: false,
    },
  ]);
});

it('what does not match is refused, and nothing is stored', async () => {
  const texts = [
    { id: 'subject', text: 'Pão fresco' },
    { id: 'greeting/content', text: 'Olá', source: 'Good evening' },
  ];
  const { status, body } = await ada.put<Document>(`${path}/translations/pt`, { texts });
  expect([status, body.details.map((detail) => detail.path)]).toEqual([400, ['texts/1']]);
  expect((await ada.get<Document>(path)).body.version).toBe(1);
});

it.each([
  ['translations/not%20a%20language', {}, 'language'],
  ['translations/pt', {}, 'Send either texts, or format and content.'],
  ['translations/pt', { texts: [{ id: 'subject' }] }, 'at index 0'],
  ['translations/pt', { texts: [] }, 'at least one text'],
  ['translations/pt', { format: 'pdf', content: '' }, 'one of xliff, csv'],
  ['translations/pt', { format: 'csv' }, 'Send either texts, or format and content.'],
  ['translations/pt', { format: 'csv', content: {} }, 'must be a string'],
  ['translations/en', { texts: [{ id: 'subject', text: 'x' }] }, 'are in en already'],
])('%s with %j gets 400', async (route, body, message) => {
  const response = await ada.put<Document>(`${path}/${route}`, body);
  expect([response.status, response.body.message]).toEqual([400, expect.stringContaining(message)]);
});

it('a stale If-Match stores nothing', async () => {
  const stale = (await ada.raw('GET', path)).headers.get('etag') ?? '';
  await ada.put(path, { name: 'B' });
  const texts = [{ id: 'subject', text: 'Pão fresco' }];
  const caller = ada.with({ 'if-match': stale });
  const { status } = await caller.put(`${path}/translations/pt`, { texts });
  expect(status).toBe(412);
});

it('checks name the texts that are missing or outdated', async () => {
  const changed = documentOf({
    ...block,
    translations: { pt: { content: { text: 'Bom dia', source: 'Good day' } } },
  });
  const { body } = await ada.post<{ findings: { rule: string; message: string }[] }>('/api/check', {
    content: { ...changed, subject: 'Fresh bread' },
    language: 'pt',
  });
  const place = '/stripes/0/containers/0/blocks/0/props/content';
  expect(body.findings.filter(({ rule }) => rule.startsWith('translation-'))).toMatchObject([
    { message: '1 of 2 texts has no translation into pt: /subject.' },
    { message: `1 text changed after the translation into pt: ${place}.` },
  ]);
});

it('a module brings its translations into a template', async () => {
  const moduleId = await createResource(ada, '/api/modules', {
    name: 'Footer',
    workspaceId,
    content: { ...text('Goodbye'), id: 'bye' },
  });
  // The root of a module is its only node, so the path of its texts is short.
  const texts = [{ id: 'content', text: 'Adeus' }];
  const stored = await ada.put<Document>(`/api/modules/${moduleId}/translations/pt`, { texts });
  expect(stored.status).toBe(200);
  const { body } = await ada.post<Rendered>('/api/render', {
    content: documentOf({ type: 'module', moduleId }),
    language: 'pt',
    format: 'text',
  });
  expect(body).toMatchObject({ text: 'Adeus\n', language: 'pt' });
});
