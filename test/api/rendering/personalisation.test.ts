import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { documentOf, text } from '../../support/api/drawable.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';
import { createResource } from '../../support/galley/resources.js';

interface Rendered {
  html: string;
  text: string;
  warnings: { nodeId: string | null; message: string }[];
  variables: { used: string[]; missing: string[] };
  message: string;
}

const galley = useSharedGalley();
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

const render = (content: object, data?: unknown) =>
  ada.post<Rendered>('/api/render', { content, format: 'all', data });
const createTemplate = (...blocks: object[]) =>
  createResource(ada, '/api/templates', { name: 'A', workspaceId, content: documentOf(...blocks) });

describe('a template with merge tags', () => {
  it('is rendered for one recipient after another', async () => {
    const id = await createTemplate(text('Hello {{user.name | default: "friend"}}'));
    const renderFor = async (data: object) =>
      (await ada.post<Rendered>(`/api/templates/${id}/render`, { data, format: 'all' })).body;
    const ada1 = await renderFor({ user: { name: '<b>Ada</b>' } });
    expect(ada1.html).toContain('>Hello &lt;b&gt;Ada&lt;/b&gt;<');
    expect(ada1.text).toBe('Hello <b>Ada</b>\n');
    expect(ada1.variables).toEqual({ used: ['user.name'], missing: [] });
    const nobody = await renderFor({});
    expect(nobody.text).toBe('Hello friend\n');
    // A default is a value.
    expect(nobody.variables).toEqual({ used: ['user.name'], missing: [] });
    await ada.put(`/api/templates/${id}`, { content: documentOf(text('Bye {{user.name}}')) });
    expect((await renderFor({ user: { name: 'Bob' } })).text).toBe('Bye Bob\n');
    expect((await renderFor({})).variables.missing).toEqual(['user.name']);
  });

  it('shows its modules with the same data', async () => {
    const module = { name: 'Footer', workspaceId, content: text('{{company}}') };
    const moduleId = await createResource(ada, '/api/modules', module);
    const id = await createTemplate({ type: 'module', moduleId });
    const body = { data: { company: 'Galley' }, format: 'text' };
    expect((await ada.post<Rendered>(`/api/templates/${id}/render`, body)).body.text).toBe(
      'Galley\n',
    );
    await ada.put(`/api/modules/${moduleId}`, { content: text('From {{company}}') });
    expect((await ada.post<Rendered>(`/api/templates/${id}/render`, body)).body.text).toBe(
      'From Galley\n',
    );
  });

  it('shows a module when and as often as its reference says', async () => {
    const module = { name: 'Line', workspaceId, content: text('{{line.name}}') };
    const moduleId = await createResource(ada, '/api/modules', module);
    const reference = {
      type: 'module',
      moduleId,
      repeat: 'line in lines',
      condition: 'line.shown',
    };
    const id = await createTemplate(reference, text('End'));
    const lines = [{ name: 'Tea', shown: true }, { name: 'Air' }, { name: 'Cake', shown: 1 }];
    const body = { data: { lines }, format: 'text' };
    expect((await ada.post<Rendered>(`/api/templates/${id}/render`, body)).body.text).toBe(
      'Tea\n\nCake\n\nEnd\n',
    );
  });

  it('has warnings that name the blocks whose tags cannot be read', async () => {
    const { warnings, html } = (await render(documentOf(text('{{#if a}}')), { a: 1 })).body;
    expect(warnings).toMatchObject([
      { message: 'The merge tag {{#if a}} is shown as text: `#if a` is not valid here.' },
    ]);
    expect(html).toContain('>{{#if a}}<');
  });
});

describe('data', () => {
  it.each([
    ['a list', []],
    ['a text', 'Ada'],
    ['nothing', null],
  ])('must be an object and not %s', async (_what, data) => {
    const { status, body } = await render(documentOf(text('A')), data);
    expect([status, body.message]).toEqual([400, 'data must be an object.']);
  });

  it('cannot make the result too large', async () => {
    const list = Array.from({ length: 40_000 }, () => 1);
    const repeated = { ...text('{{x}}'), repeat: 'x in list', condition: 'x == 2' };
    const { status, body } = await render(documentOf(repeated), { list });
    expect([status, body.message]).toEqual([
      400,
      'The document cannot be rendered with this data: there are too many merge tags, conditions and repetitions to evaluate, or the values are too long.',
    ]);
  });
});

describe('the HTML of a version', () => {
  it('is a page that a client may keep', async () => {
    const id = await createTemplate(text('Hello {{name}}'));
    await ada.put(`/api/templates/${id}`, { content: documentOf(text('Second')) });
    const path = `/api/templates/${id}/versions/1/html`;
    const { status, headers, text: html } = await ada.get(path);
    expect(status).toBe(200);
    expect(html).toContain('>Hello {{name}}<');
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
    });
    expect((await ada.get(path.replace('/1/', '/3/'))).status).toBe(404);
  });

  it('is not kept while a module is missing', async () => {
    const module = { name: 'Footer', workspaceId, content: text('Imprint') };
    const moduleId = await createResource(ada, '/api/modules', module);
    const id = await createTemplate({ type: 'module', moduleId });
    const read = () => ada.get(`/api/templates/${id}/versions/1/html`);
    expect((await read()).headers.get('cache-control')).toContain('immutable');
    await ada.delete(`/api/modules/${moduleId}?force=true`);
    const { text: html, headers } = await read();
    expect(html).toContain('Left out: a module');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('of a document that cannot be drawn is an error', async () => {
    const id = await createResource(ada, '/api/templates', {
      name: 'A',
      workspaceId,
      content: { pages: [] },
    });
    const { status, headers } = await ada.get(`/api/templates/${id}/versions/1/html`);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      400,
      'application/json; charset=utf-8',
      'no-store',
    ]);
  });
});
