import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { documentOf, text } from '../../support/api/drawable.js';
import { refer } from '../../support/api/references.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';
import { createResource } from '../../support/galley/resources.js';

interface Checked {
  findings: {
    rule: string;
    severity: string;
    nodeId: string | null;
    path: string;
    message: string;
    help: string;
  }[];
  counts: { error: number; warning: number; info: number };
  message: string;
}

const galley = useSharedGalley();
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

const check = (content: object) => ada.post<Checked>('/api/check', { content });
const checkTemplate = (id: string, body: object = {}, client = ada) =>
  client.post<Checked>(`/api/templates/${id}/check`, body);
const createTemplate = (content: object) =>
  createResource(ada, '/api/templates', { name: 'Offers', workspaceId, content });
const errorsOf = ({ body }: { body: Checked }) =>
  body.findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule);

const link = (href: string) => text(`<a href="${href}">Our offers</a>`);
const good = documentOf(link('https://example.com/'));

it('data fills in the merge tags, and reports those without a value', async () => {
  const content = documentOf(text('Hello {{user.name}}, {{user.city}}'));
  const tagsIn = ({ body }: { body: Checked }) =>
    body.findings.flatMap(({ rule, message }) =>
      rule === 'merge-tag-without-default' ? [message] : [],
    );
  expect(tagsIn(await check(content))).toEqual([
    '2 merge tags have no default: {{user.name}}, {{user.city}}.',
  ]);
  const withName = { content, data: { user: { name: 'Ada' } } };
  const expected = ['The merge tag {{user.city}} has no default.'];
  expect(tagsIn(await ada.post('/api/check', withName))).toEqual(expected);
  const id = await createTemplate(content);
  expect(tagsIn(await checkTemplate(id, { data: withName.data }))).toEqual(expected);
  const name = 'x'.repeat(110_000);
  const long = await ada.post<Checked>('/api/check', { content, data: { user: { name } } });
  expect(long.body.findings.map(({ rule }) => rule)).toContain('html-clipped');
});

it('data that makes the email too large gets 400', async () => {
  const row = { repeat: 'each in list', cells: Array<string>(50).fill('{{each}}') };
  const content = documentOf({ type: 'table', props: { rows: [row] } });
  const data = { list: Array<string>(10_000).fill('x') };
  const { status, body } = await ada.post<Checked & { details: object[] }>('/api/check', {
    content,
    data,
  });
  expect([status, body.message]).toEqual([
    400,
    expect.stringContaining('The document cannot be rendered with this data:'),
  ]);
});

describe('a template', () => {
  it('is checked in its latest version, an earlier one, or the published one', async () => {
    const id = await createTemplate(documentOf(link('#')));
    await ada.put(`/api/templates/${id}`, { content: documentOf(link('/offers')) });
    await ada.put(`/api/templates/${id}`, { content: good });
    await ada.post(`/api/templates/${id}/publish`, { version: 2 });
    expect(errorsOf(await checkTemplate(id))).toEqual([]);
    expect(errorsOf(await checkTemplate(id, { version: 1 }))).toEqual(['link-empty']);
    expect(errorsOf(await checkTemplate(id, { environment: 'production' }))).toEqual([
      'link-address',
    ]);
    const both = await checkTemplate(id, { version: 1, environment: 'production' });
    expect([both.status, both.body.message]).toEqual([
      400,
      'Send either version or environment, not both.',
    ]);
    expect((await checkTemplate(id, { version: 9 })).status).toBe(404);
    expect((await checkTemplate(id, { environment: 'staging' })).status).toBe(404);
  });

  it('is checked with its modules', async () => {
    const footer = { name: 'Footer', workspaceId, content: { id: 'f1', ...link('#') } };
    const moduleId = await createResource(ada, '/api/modules', footer);
    const id = await createTemplate(documentOf(text('Hello'), refer(moduleId)));
    const [finding] = (await checkTemplate(id)).body.findings;
    expect(finding).toEqual({
      rule: 'link-empty',
      severity: 'error',
      nodeId: 'f1',
      path: '/stripes/0/containers/0/blocks/1',
      message: 'The link leads nowhere.',
      help: 'Set `href` to a URL that begins with https://.',
    });
    await ada.delete(`/api/modules/${moduleId}?force=true`);
    expect(errorsOf(await checkTemplate(id))).toEqual(['module-missing']);
  });

  it('that pins an earlier version of a module has a finding', async () => {
    const footer = { name: 'A "footer"', workspaceId, content: text('Imprint') };
    const moduleId = await createResource(ada, '/api/modules', footer);
    const id = await createTemplate(
      documentOf(text('Hello'), { type: 'module', moduleId, version: 1 }),
    );
    const outdated = async () =>
      (await checkTemplate(id)).body.findings.filter(({ rule }) => rule === 'module-outdated');
    expect(await outdated()).toEqual([]);
    await ada.put(`/api/modules/${moduleId}`, { content: text('New imprint') });
    expect(await outdated()).toMatchObject([
      {
        path: '/stripes/0/containers/0/blocks/1',
        message: 'Version 1 of the module A "footer" is pinned, but the latest version is 2.',
      },
    ]);
  });

  it('is checked for a key that may only read what is published', async () => {
    const id = await createTemplate(good);
    await ada.post(`/api/templates/${id}/publish`, { version: 1 });
    const { body } = await ada.post<{ key: string }>(`/api/workspaces/${workspaceId}/keys`, {
      name: 'Newsletter service',
      role: 'viewer',
      environment: 'production',
    });
    const sender = new Client(galley.url, body.key);
    expect((await checkTemplate(id, { environment: 'production' }, sender)).status).toBe(200);
    expect((await checkTemplate(id, {}, sender)).status).toBe(403);
    expect((await sender.post('/api/check', { content: good })).status).toBe(403);
  });
});

describe('a document', () => {
  it('that is not stored is checked', async () => {
    const { status, body } = await check(documentOf(link('#')));
    expect(status).toBe(200);
    expect(body.findings.map(({ rule }) => rule)).toEqual([
      'link-empty',
      'preheader-missing',
      'language-missing',
      'unsubscribe-missing',
      'subject-missing',
      'title-missing',
      'heading-missing',
    ]);
    expect(body.counts).toEqual({ error: 1, warning: 3, info: 3 });
  });

  it('of thousands of blocks has at most 200 findings, and blocks no other request', async () => {
    const large = documentOf(...Array.from({ length: 1_000 }, () => link('#')));
    const checks = Array.from({ length: 2 }, () => check(large));
    expect((await ada.get('/api/workspaces')).status).toBe(200);
    for (const { status, body } of await Promise.all(checks)) {
      expect([status, body.findings.length, body.counts.error]).toEqual([200, 200, 1_001]);
    }
  });

  it.each([
    ['without stripes', { pages: [] }, 'it has no stripes array.'],
    [
      'with too many nodes',
      { stripes: Array.from({ length: 10_001 }, () => ({})) },
      'it has more than 10,000 stripes, containers, blocks and links.',
    ],
  ])('%s gets 400', async (_title, content, reason) => {
    const { status, body } = await check(content);
    expect([status, body.message]).toEqual([400, `The document cannot be rendered: ${reason}`]);
  });
});
