import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { documentOf, text } from '../../support/api/drawable.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';

interface Rendered {
  html: string;
  warnings: { nodeId: string | null; path: string; message: string }[];
}

const galley = useSharedGalley();
let ada: Client;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
});

const render = (content: object) => ada.post<Rendered>('/api/render', { content });

describe('a document', () => {
  it('says what is left out, and where', async () => {
    const { body } = await render({
      stripes: [
        {
          styles: { 'background-color': 'url(x)' },
          containers: [
            {
              blocks: [
                { id: 'b1', type: 'carousel', props: {} },
                {
                  id: 'b2',
                  type: 'text',
                  props: { content: 'Hello', glow: 'much', color: 'red;x' },
                },
              ],
            },
          ],
        },
      ],
    });
    expect(body.html).toContain(
      '<!-- Left out: A block of the unknown type carousel at /stripes/0/containers/0/blocks/0 -->',
    );
    expect(body.warnings).toEqual([
      {
        nodeId: null,
        path: '/stripes/0',
        message: 'background-color has an invalid value, and is ignored.',
      },
      {
        nodeId: 'b1',
        path: '/stripes/0/containers/0/blocks/0',
        message: 'A block of the unknown type carousel is left out.',
      },
      {
        nodeId: 'b2',
        path: '/stripes/0/containers/0/blocks/1',
        message: 'color has an invalid value, and is ignored.',
      },
      {
        nodeId: 'b2',
        path: '/stripes/0/containers/0/blocks/1',
        message: 'glow: not a property of this node.',
      },
    ]);
  });

  it.each<[object, string]>([
    [
      { stripes: [{ containers: [1] }] },
      'Elements of containers that are not objects are left out.',
    ],
    [{ stripes: [{ containers: {} }] }, 'containers is left out: it must be a list.'],
    [{ stripes: [], direction: 'up' }, 'direction has an invalid value, and is ignored.'],
    [
      { stripes: [], styles: { contentWidth: 9 } },
      'contentWidth has an invalid value, and is ignored.',
    ],
    [
      documentOf({ type: 'text', props: { content: {} } }),
      'content has an invalid value, and is ignored.',
    ],
    [
      documentOf({ type: 'text', props: { align: true } }),
      'align has an invalid value, and is ignored.',
    ],
    [
      documentOf({ type: 'heading', props: { level: 9 } }),
      'level has an invalid value, and is ignored.',
    ],
    [
      documentOf({ type: 'table', props: { rows: ['x'] } }),
      'rows has an invalid value, and is ignored.',
    ],
    [
      documentOf({ type: 'divider', props: { 'border-color': 'image-set("x" 1x)' } }),
      'border-color has an invalid value, and is ignored.',
    ],
    [
      documentOf({ type: 'text', props: { 'font-family': '"Arial' } }),
      'font-family has an invalid value, and is ignored.',
    ],
  ])('%j has a warning', async (content, message) => {
    const { body } = await render(content);
    expect(body.warnings.map((warning) => warning.message)).toEqual([message]);
  });

  it('may name a problem that Galley does not know', async () => {
    const { body } = await render(documentOf({ $module: { id: 'm', problem: 'constructor' } }));
    const messages = body.warnings.map(({ message }) => message);
    expect(messages).toEqual(['The module m is left out: it cannot be found.']);
  });

  it('keeps its columns beside a module that cannot be found', async () => {
    const column = { type: 'column', props: {}, blocks: [text('Beside')] };
    const { body } = await render(
      documentOf(column, { type: 'text', $module: { id: 'm', problem: 'not_found' } }),
    );
    expect(body.html).toContain('Beside');
    expect(body.warnings.map(({ message }) => message)).toEqual([
      'The module m is left out: it was deleted, or you may not read it.',
    ]);
  });

  it('links to the addresses that it has, and shares none', async () => {
    const href = 'https://example.com/?a=$&b';
    const social = {
      type: 'social',
      props: { elements: [{ name: 'facebook', href, content: 'Us' }] },
    };
    const menu = {
      type: 'menu',
      props: { 'base-url': 'https:', links: [{ href: 'evil:x', content: 'A' }, { content: 'B' }] },
    };
    const { body } = await render(documentOf(social, menu));
    expect(body.html).toContain('href="https://example.com/?a=$&amp;b"');
    expect(body.html).not.toMatch(/sharer|undefined/);
    expect(body.html).toContain('href="https:evil:x"');
  });
});
