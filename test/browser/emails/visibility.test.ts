import { beforeAll, expect, it } from '@jest/globals';
import { render, type Block, type EmailDocument } from '#client';
import { clientFor } from '../support/stack.js';
import { useBrowser, Visitor } from '../support/visitor.js';

const text = (content: string, visibility?: 'mobile' | 'desktop'): Block => ({
  type: 'text',
  props: { content },
  ...(visibility && { visibility }),
});

const DOCUMENT: EmailDocument = {
  stripes: [
    { visibility: 'mobile', containers: [{ blocks: [text('stripe on phones')] }] },
    {
      visibility: 'desktop',
      styles: { 'full-width': 'full-width' },
      containers: [{ blocks: [text('stripe on desktops')] }],
    },
    {
      containers: [
        { visibility: 'mobile', blocks: [text('container on phones')] },
        { visibility: 'desktop', blocks: [text('container on desktops')] },
        {
          blocks: [
            text('everywhere'),
            text('block on phones', 'mobile'),
            text('block on desktops', 'desktop'),
          ],
        },
      ],
    },
    {
      containers: [
        {
          blocks: [
            { type: 'column', visibility: 'mobile', blocks: [text('column on phones')] },
            { type: 'column', blocks: [text('column everywhere')] },
          ],
        },
        {
          visibility: 'mobile',
          blocks: [{ type: 'column', blocks: [text('container of columns on phones')] }],
        },
      ],
    },
  ],
};

let html = '';
let plainText = '';
let ada: Visitor;

useBrowser();
beforeAll(async () => {
  const { generated: client } = await clientFor('ada@example.com');
  const { data } = await render({ client, body: { content: DOCUMENT, format: 'all' } });
  expect(data.warnings).toEqual([]);
  ({ html = '', text: plainText = '' } = data);
  ada = await Visitor.arrive();
  await ada.page.setContent(html);
});

/** The texts that a reader sees in a window of this width. */
async function textsAt(width: number): Promise<string[]> {
  await ada.page.setViewportSize({ width, height: 800 });
  return (await ada.page.locator('body').innerText()).split(/\s*\n\s*/);
}

it('shows stripes, containers, columns and blocks only on phones', async () => {
  expect(await textsAt(479)).toEqual([
    'stripe on phones',
    'container on phones',
    'everywhere',
    'block on phones',
    'column on phones',
    'column everywhere',
    'container of columns on phones',
  ]);
});

it('shows stripes, containers and blocks only in wider windows', async () => {
  expect(await textsAt(480)).toEqual([
    'stripe on desktops',
    'container on desktops',
    'everywhere',
    'block on desktops',
    'column everywhere',
  ]);
});

it('gives the room of hidden columns to the others', async () => {
  const widthOf = async (content: string) =>
    (await ada.page.getByText(content).boundingBox())?.width;
  await textsAt(600);
  // Each column has a padding of 24 pixels on both sides.
  expect(await widthOf('container on desktops')).toBe(252);
  expect(await widthOf('column everywhere')).toBe(552);
});

it('hides from Outlook, and from plain text, what is only for phones', () => {
  const [, names = ''] = /\n([^\n]*) \{ mso-hide:all; \}/.exec(html) ?? [];
  const selectors = names.split(', ').filter((name) => !name.includes(' '));
  expect(selectors).toEqual(['.galley-mobile-only', '.galley-mobile-only-outlook']);
  expect(html).toContain('<td class="galley-mobile-only-outlook"');
  expect(plainText).not.toContain('on phones');
  expect(plainText).toContain('block on desktops');
});

it('needs a style sheet only for a document that hides something', async () => {
  const { generated: client } = await clientFor('ada@example.com');
  const content: EmailDocument = { stripes: [{ containers: [{ blocks: [text('A')] }] }] };
  const { data } = await render({ client, body: { content } });
  expect(data.html).not.toContain('galley-');
});
