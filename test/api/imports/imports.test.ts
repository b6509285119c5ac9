import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';

interface Imported {
  document: Record<string, unknown>;
  report: { understood: Record<string, number>; entries: object[]; omitted: number };
  message: string;
}

const MJML =
  '<mjml><mj-body><mj-section><mj-column><mj-text font-family="Arial">Hello {{user.name}}</mj-text></mj-column></mj-section></mj-body></mjml>';

const galley = useSharedGalley();
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

const importContent = (format: string, content: unknown, client = ada) =>
  client.post<Imported>('/api/imports', { format, content });

it('an imported document can be stored and rendered', async () => {
  const { status, body } = await importContent('mjml', MJML);
  expect([status, body.report]).toEqual([
    200,
    { understood: { container: 1, stripe: 1, text: 1 }, entries: [], omitted: 0 },
  ]);
  const template = { name: 'Letter', workspaceId, content: body.document };
  const created = await ada.post<{ id: string; content: object }>('/api/templates', template);
  expect(created.body.content).toEqual(body.document);
  const data = { user: { name: 'Ada' } };
  const path = `/api/templates/${created.body.id}/render`;
  const rendered = await ada.post<{ html: string; warnings: object[] }>(path, { data });
  expect(rendered.body.html).toContain('Hello Ada');
  expect(rendered.body.warnings).toEqual([]);
});

const editors = globSync('test/samples/imports/*.json').map((path): [string, string] => [
  basename(path, '.json'),
  readFileSync(path, 'utf8'),
]);

it.each(editors)('the content of %s may be an object or a string', async (format, json) => {
  const asObject = await importContent(format, JSON.parse(json));
  const asText = await importContent(format, json);
  expect(asObject.status).toBe(200);
  expect(asText.body).toEqual(asObject.body);
  const { document } = asObject.body;
  const stored = await ada.post('/api/templates', { name: format, workspaceId, content: document });
  expect(stored.status).toBe(201);
});

describe('an import gets 400', () => {
  it.each<[string, object, string]>([
    [
      'of MJML that is none',
      { format: 'mjml', content: 'Hello' },
      'The content cannot be imported: it does not begin with an mjml element.',
    ],
    [
      'of an object as MJML',
      { format: 'mjml', content: {} },
      'The content cannot be imported: it must be a string.',
    ],
    [
      'of text as JSON',
      { format: 'unlayer', content: 'Hello' },
      'The content cannot be imported: it is not JSON.',
    ],
    ['of a list', { format: 'unlayer', content: [] }, 'content must be a string or an object.'],
    ['of a number', { format: 'html', content: 1 }, 'content must be a string or an object.'],
    ['without a content', { format: 'html' }, 'content is missing.'],
    [
      'of a content that would take more than a second',
      { format: 'html', content: '<b>'.repeat(340_000) },
      'The content cannot be imported: importing would take more than a second. Use fewer elements and tags.',
    ],
  ])('%s', async (_title, request, message) => {
    const { status, body } = await ada.post<{ message: string }>('/api/imports', request);
    expect([status, body.message]).toEqual([400, message]);
  });

  it('of an unknown format', async () => {
    const { status, body } = await importContent('word', 'Hello');
    expect([status, body.message]).toEqual([400, expect.stringContaining('format must be one of')]);
  });
});

it('a stranger may not import for a workspace', async () => {
  const stranger = await galley.clientFor('eve');
  const request = { format: 'mjml', content: MJML, workspaceId };
  expect((await stranger.post('/api/imports', request)).status).toBe(403);
  expect((await ada.post('/api/imports', request)).status).toBe(200);
});
