import { beforeAll, describe, expect, it } from '@jest/globals';
import { HtmlValidate } from 'html-validate';
import { Client } from '../../support/api/client.js';
import { documentOf, text } from '../../support/api/drawable.js';
import { refer } from '../../support/api/references.js';
import { itTimed } from '../../support/it-timed.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';
import { createResource } from '../../support/galley/resources.js';

interface Rendered {
  html?: string;
  text?: string;
  mjml?: string;
  warnings: { nodeId: string | null; path: string; message: string }[];
  message: string;
}

// Mail clients need attributes that browsers no longer need, and MJML writes `height="auto"`.
const VALIDATOR_RULES = { 'no-deprecated-attr': 'off', 'attribute-allowed-values': 'off' } as const;

const galley = useSharedGalley();
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

const render = (content: object, format?: string) =>
  ada.post<Rendered>('/api/render', { content, ...(format && { format }) });
const manyTexts = (count: number) => documentOf(...Array.from({ length: count }, () => text('')));
const links = (count: number) => Array.from({ length: count }, () => ({ content: 'A' }));
const createTemplate = (content: object) =>
  createResource(ada, '/api/templates', { name: 'Welcome', workspaceId, content });
const renderTemplate = (id: string, body: object = {}, client = ada) =>
  client.post<Rendered>(`/api/templates/${id}/render`, body);

describe('a template', () => {
  it('is rendered in its latest version, an earlier one, or the published one', async () => {
    const id = await createTemplate(documentOf(text('First')));
    await ada.put(`/api/templates/${id}`, { content: documentOf(text('Second')) });
    await ada.put(`/api/templates/${id}`, { content: documentOf(text('Third')) });
    await ada.post(`/api/templates/${id}/publish`, { version: 2 });
    const html = async (body: object) => (await renderTemplate(id, body)).body.html;
    expect(await html({})).toContain('>Third<');
    expect(await html({ version: 1 })).toContain('>First<');
    expect(await html({ environment: 'production' })).toContain('>Second<');
    const both = await renderTemplate(id, { version: 1, environment: 'production' });
    expect([both.status, both.body.message]).toEqual([
      400,
      'Send either version or environment, not both.',
    ]);
    expect((await renderTemplate(id, { version: 9 })).status).toBe(404);
    expect((await renderTemplate(id, { environment: 'staging' })).status).toBe(404);
  });

  it('shows its modules, those of an earlier version as they were then', async () => {
    const footer = { name: 'Footer', workspaceId, content: text('Old imprint') };
    const moduleId = await createResource(ada, '/api/modules', footer);
    const id = await createTemplate(documentOf(text('Hello'), refer(moduleId)));
    await ada.put(`/api/modules/${moduleId}`, { content: text('New imprint') });
    expect((await renderTemplate(id)).body.html).toContain('New imprint');
    await ada.put(`/api/templates/${id}`, { name: 'Renamed' });
    expect((await renderTemplate(id, { version: 1 })).body.html).toContain('Old imprint');
    await ada.delete(`/api/modules/${moduleId}?force=true`);
    const { html, warnings } = (await renderTemplate(id)).body;
    expect(html).toContain('<!-- Left out: a module that could not be inserted -->');
    expect(warnings).toEqual([
      {
        nodeId: null,
        path: '/stripes/0/containers/0/blocks/1',
        message: `The module ${moduleId} is left out: it was deleted, or you may not read it.`,
      },
    ]);
  });

  it('is rendered for a key that may only read what is published', async () => {
    const id = await createTemplate(documentOf(text('Hello')));
    await ada.post(`/api/templates/${id}/publish`, { version: 1 });
    const { body } = await ada.post<{ key: string }>(`/api/workspaces/${workspaceId}/keys`, {
      name: 'Newsletter service',
      role: 'viewer',
      environment: 'production',
    });
    const sender = new Client(galley.url, body.key);
    expect((await renderTemplate(id, { environment: 'production' }, sender)).status).toBe(200);
    expect((await renderTemplate(id, {}, sender)).status).toBe(403);
    // The document could refer to any module, and to any version.
    const { status, body: refusal } = await sender.post<Rendered>('/api/render', {
      content: documentOf(),
    });
    expect([status, refusal.message]).toEqual([403, 'Forbidden']);
  });
});

describe('a document', () => {
  it('is returned as HTML, as text, as MJML or as all of them', async () => {
    const content = documentOf(text('Hello'));
    const membersOf = async (format?: string) => Object.keys((await render(content, format)).body);
    expect(await membersOf()).toEqual(['html', 'warnings', 'variables']);
    expect(await membersOf('text')).toEqual(['text', 'warnings', 'variables']);
    expect(await membersOf('mjml')).toEqual(['mjml', 'warnings', 'variables']);
    expect((await membersOf('all')).toSorted()).toEqual([
      'html',
      'mjml',
      'text',
      'variables',
      'warnings',
    ]);
  });

  it.each([
    ['heading', { content: 'Hello', level: 1 }, /<h1[^>]*>Hello<\/h1>/],
    [
      'text',
      { content: 'Hello <b>you</b>', color: '#ff0000' },
      /color:#ff0000[^>]*>Hello <b>you<\/b>/,
    ],
    [
      'image',
      { src: 'https://example.com/a.png', alt: 'A & B' },
      /alt="A &amp; B"[^>]*src="https:\/\/example.com\/a.png"/,
    ],
    [
      'button',
      { content: 'Buy', href: 'https://example.com/' },
      /<a[^>]*href="https:\/\/example.com\/"[^>]*>\s*Buy/,
    ],
    ['divider', { 'border-color': '#abcdef' }, /border-top:solid 1px #abcdef/],
    ['spacer', { height: '33px' }, /height:33px/],
    [
      'list',
      { items: ['One', '<b>Two</b>'], ordered: true },
      /<ol[^>]*><li>One<\/li><li><b>Two<\/b><\/li><\/ol>/,
    ],
    [
      'table',
      { header: ['A'], rows: [['1']] },
      /<tr><th style="text-align:left[^"]*">A<\/th><\/tr><tr><td style="[^"]*">1<\/td><\/tr>/,
    ],
    [
      'social',
      { elements: [{ name: 'github', href: 'https://example.com/', content: 'Us' }] },
      /href="https:\/\/example.com\/"[^>]*>\s*Us/,
    ],
    [
      'menu',
      { links: [{ href: 'https://example.com/', content: 'Shop' }] },
      /href="https:\/\/example.com\/"[^>]*>\s*Shop/,
    ],
    [
      'video',
      { src: 'https://example.com/v', poster: 'https://example.com/p.png' },
      /href="https:\/\/example.com\/v"[^]*src="https:\/\/example.com\/p.png"/,
    ],
    [
      'html',
      { content: '<table><tr><td>Cell</td></tr></table>' },
      /<table><tr><td>Cell<\/td><\/tr><\/table>/,
    ],
  ])('shows a block of the type %s', async (type, props, expected) => {
    const { body } = await render(documentOf({ type, props }));
    expect(body.warnings).toEqual([]);
    expect(body.html).toMatch(expected);
  });

  it('keeps the links and pictures of its texts', async () => {
    const link = '<a href="https://example.com/?a=1&amp;b=2" style="color:red">link</a>';
    const picture = '<img src="https://example.com/a.png" alt="A" />';
    const { body } = await render(
      documentOf(text(link), { type: 'html', props: { content: picture } }),
    );
    expect(body.html).toContain(link);
    expect(body.html).toContain(picture);
  });

  it('becomes plain text with headings, lists, tables, and the addresses of links', async () => {
    const { body } = await render(
      documentOf(
        { type: 'heading', props: { content: 'Welcome <b>aboard</b>', level: 1 } },
        text(`<p>See <a href="https://example.com/a">this page</a>. ${'word '.repeat(20)}</p>`),
        { type: 'list', props: { items: ['One', '<i>Two</i>'], ordered: true } },
        { type: 'divider', props: {} },
        { type: 'table', props: { header: ['A', 'B'], rows: [['1', '2']] } },
        { type: 'image', props: { src: 'https://example.com/a.png', alt: 'A picture' } },
        { type: 'button', props: { content: 'Begin', href: 'https://example.com/begin' } },
        { type: 'menu', props: { links: [{ content: 'Shop', href: 'https://example.com/shop' }] } },
        { type: 'html', props: { content: '<script>alert(1)</script>Cell' } },
      ),
      'text',
    );
    expect(body.text?.split('\n')).toEqual([
      'Welcome aboard',
      '==============',
      '',
      'See this page [https://example.com/a]. word word word word word word word word',
      'word word word word word word word word word word word word',
      '',
      '1. One',
      '2. Two',
      '',
      '-'.repeat(78),
      '',
      'A | B',
      '1 | 2',
      '',
      'A picture',
      '',
      'Begin: https://example.com/begin',
      '',
      'Shop: https://example.com/shop',
      '',
      'Cell',
      '',
    ]);
  });

  it.each<[object, RegExp]>([
    [text(5), /5/],
    [{ type: 'list', props: { items: [1, 'two'] } }, /<li>1<\/li><li>two<\/li>/],
    [{ type: 'table', props: { rows: [['Price', 10]] } }, />Price<\/td><td [^>]*>10<\/td>/],
  ])('shows the numbers in %j', async (block, expected) => {
    const { body } = await render(documentOf(block));
    expect([body.warnings, body.html]).toEqual([[], expect.stringMatching(expected)]);
  });

  it.each([
    ['without stripes', { pages: [] }, 'it has no stripes array.'],
    [
      'with too many nodes',
      { stripes: Array.from({ length: 10_001 }, () => ({})) },
      'it has more than 10,000 stripes, containers, blocks and links.',
    ],
    [
      'with too many tags',
      documentOf(text('<b>'.repeat(20_001))),
      'it has a text with more than 20,000 tags.',
    ],
  ])('%s gets 400', async (_title, content, reason) => {
    const { status, body } = await render(content);
    expect([status, body.message]).toEqual([400, `The document cannot be rendered: ${reason}`]);
  });

  it.each<[string, object]>([
    ['a long font', { styles: { fontFamily: 'a'.repeat(500_000) }, ...manyTexts(3_000) }],
    [
      'a long address before each link',
      documentOf({ type: 'menu', props: { 'base-url': 'a'.repeat(40_000), links: links(3_000) } }),
    ],
    [
      'a long colour for each link',
      documentOf({ type: 'social', props: { color: 'a'.repeat(900_000), elements: links(1_500) } }),
    ],
    [
      'an id beside many mistakes',
      documentOf({ type: 'text', id: 'a'.repeat(900_000), props: { a: 1 } }),
    ],
  ])('with %s is rendered in little memory', async (_title, content) => {
    const { status, text: response } = await render(content);
    expect(status).toBe(200);
    expect(response.length).toBeLessThan(8_000_000);
  });

  // MJML takes seconds for these two on a busy machine, and a rendering may take ten.
  itTimed('whose HTML would be too large gets 400', async () => {
    const social = { type: 'social', props: { elements: links(9_000) } };
    const { status, body } = await render(documentOf(social));
    const reason = 'the result has more than 8,000,000 characters.';
    expect([status, body.message]).toEqual([400, `The document cannot be rendered: ${reason}`]);
  });

  itTimed('of five thousand blocks is rendered', async () => {
    const { status, body } = await render(
      documentOf(...Array.from({ length: 5_000 }, () => text('Hello'))),
    );
    expect([status, body.html?.split('Hello').length]).toEqual([200, 5_001]);
  });

  it('is not rendered for a deactivated user', async () => {
    const eve = await galley.clientFor('eve');
    const { user } = (await eve.get<{ user: { id: string } }>('/api/auth/me')).body;
    await galley.query(`UPDATE users SET status = 'deactivated' WHERE id = $1`, [user.id]);
    expect((await eve.post('/api/render', { content: documentOf() })).status).toBe(401);
  });

  it('becomes valid HTML, for screen readers and both directions', async () => {
    const { body } = await render({
      ...documentOf(text('Hello'), {
        type: 'image',
        props: { src: 'https://example.com/a.png', alt: 'A' },
      }),
      language: 'ar',
      direction: 'rtl',
      title: 'Welcome',
      preheader: 'You are in',
    });
    expect(body.html).toMatch(/^<!doctype html>\s*<html lang="ar" dir="rtl"/);
    expect(body.html).toContain('<title>Welcome</title>');
    expect(body.html).toContain('You are in');
    const validator = new HtmlValidate({
      extends: ['html-validate:standard'],
      rules: VALIDATOR_RULES,
    });
    const report = await validator.validateString(body.html ?? '');
    expect(
      report.results.flatMap(({ messages }) =>
        messages.map(({ ruleId, message }) => `${ruleId}: ${message}`),
      ),
    ).toEqual([]);
  });
});

it('blocks no other request', async () => {
  const id = await createTemplate(documentOf(text('Hello')));
  const large = documentOf(...Array.from({ length: 5_000 }, () => text('Hello')));
  const renders = Array.from({ length: 4 }, () => render(large));
  expect((await ada.get(`/api/templates/${id}`)).status).toBe(200);
  expect((await Promise.all(renders)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
