import { describe, expect, it } from '@jest/globals';
import compile from './drawing/compile.js';
import type { RenderFormat, ResultFormat } from './document/index.js';
import { Personalisation, type MergeData } from './personalisation/index.js';

const block = (type: string, props: object, node: object = {}) => ({
  id: 'b',
  type,
  props,
  ...node,
});
const text = (content: string, node?: object) => block('text', { content }, node);
const documentOf = (blocks: object[], more: object = {}) => ({
  ...more,
  stripes: [{ containers: [{ blocks }] }],
});

async function compiled(document: object, format: RenderFormat) {
  const result = await compile({ content: JSON.stringify(document), title: 'Email', format });
  if ('reason' in result) throw new Error(result.reason);
  return result;
}

async function render(document: object, data?: MergeData, format: ResultFormat = 'text') {
  const { programs, locale } = await compiled(document, format);
  const program = programs[format];
  if (program === undefined) throw new Error('The format is missing.');
  const run = new Personalisation(data, locale);
  return { text: run.fill(program), missing: run.missing };
}

/** The URL of a button in the HTML. */
async function hrefOf(href: string, data: MergeData): Promise<string | undefined> {
  const { text: html } = await render(
    documentOf([block('button', { content: 'A', href })]),
    data,
    'html',
  );
  return /<a\s+href="([^"]*)"/.exec(html)?.[1];
}

describe('a value', () => {
  it.each([
    ['{{n | number}}', 'de', '1.234,5'],
    ['{{n | number}}', 'klingon', '1,234.5'],
    ['{{n | number}}', '{{lang}}', '1,234.5'],
  ])('%s in %s becomes %s', async (tag, language, expected) => {
    const { text: rendered } = await render(documentOf([text(tag)], { language }), {
      n: 1234.5,
      lang: 'de',
    });
    expect(rendered).toBe(`${expected}\n`);
  });

  it.each([
    ['{{url}}', 'https://a.example/?b=1&amp;c=2'],
    ['{{script}}', ''],
    ['{{spaced}}', ''],
    ['https://a.example/{{id}}?q={{id}}', 'https://a.example/a%2F..%2Fb%20c?q=a%2F..%2Fb%20c'],
    ['https://{{host}}/', 'https://evil.example%2F%40a/'],
    ['mailto:{{mail}}', 'mailto:a+b@c.example'],
    ['tel:{{tel}}', 'tel:+49%3Bx'],
    ['https://a.example/{{half}}', 'https://a.example/%EF%BF%BD'],
  ])('in the URL %s becomes %s', async (href, expected) => {
    const data = {
      url: ' https://a.example/?b=1&c=2',
      script: 'javascript:alert(1)',
      spaced: ' java\nscript:alert(1)',
      id: 'a/../b c',
      host: 'evil.example/@a',
      mail: 'a+b@c.example',
      tel: '+49;x',
      half: '\ud83d',
    };
    expect(await hrefOf(href, data)).toBe(expected);
  });

  it('is escaped in texts and attributes', async () => {
    const document = documentOf([
      text('{{x}}'),
      block('image', { src: 'https://a.example/', alt: '{{x}}' }),
      block('html', { content: '<b title="{{x}}">{{x}}</b>' }),
    ]);
    const { text: html } = await render(document, { x: `<i>&"'` }, 'html');
    expect(html.match(/&lt;i&gt;&amp;&quot;&#39;/g)).toHaveLength(4);
    expect(html).not.toContain('<i>');
  });

  it('cannot be the scheme of a URL', async () => {
    const links = `<a href="{{a}}:alert(1)">A</a><a href='{{b | default: "javascript"}}:alert(1)'>B</a>`;
    const picture = `<img src="{{a}}:image/svg+xml,x">`;
    const document = documentOf([text(links), block('html', { content: picture + links })]);
    for (const format of ['html', 'text', 'mjml'] as const) {
      const { text: rendered } = await render(document, { a: 'javascript' }, format);
      expect(rendered).not.toMatch(/script:|data:/);
    }
  });

  it('in a style is left out, with a warning', async () => {
    const button = block('button', { content: 'A', color: '{{colour}}' });
    const stripe = { styles: { 'background-url': '{{url}}' }, containers: [{ blocks: [button] }] };
    const { warnings } = await compiled({ stripes: [stripe] }, 'html');
    expect(warnings.map(({ message }) => message)).toEqual([
      'background-url has an invalid value, and is ignored.',
      'color has an invalid value, and is ignored.',
    ]);
  });

  it('without data becomes a merge tag that another program can parse', async () => {
    const tag = '{{ a | default: "b" }}';
    const image = block('image', { src: 'https://a.example/', alt: tag });
    const { text: html } = await render(
      documentOf([text(`${tag} &lt;`), image]),
      undefined,
      'html',
    );
    expect(html).toContain(`>${tag} &lt;<`);
    expect(html).toContain(`alt="{{ a | default: 'b' }}"`);
  });

  it('without data becomes the merge tag as written', async () => {
    const document = documentOf([
      text('Hello {{ name | default: "you" }}'),
      text('{{item.name}}', { repeat: 'item in items', condition: 'item.name' }),
    ]);
    const { text: rendered, missing } = await render(document);
    expect(rendered).toBe('Hello {{ name | default: "you" }}\n\n{{item.name}}\n');
    expect([...missing]).toEqual(['items', 'items[].name']);
  });
});

describe('a node', () => {
  const lines = [
    { name: 'Tea', price: 3 },
    { name: 'Cake', price: 4, gift: true },
  ];

  it('is repeated, with conditions and lists inside', async () => {
    const document = {
      stripes: [
        {
          repeat: 'line in order.lines',
          containers: [
            { blocks: [text('{{line.name}}')] },
            { condition: 'line.gift', blocks: [text('Gift')] },
          ],
        },
        {
          containers: [
            {
              blocks: [
                block('list', {
                  items: ['All', { content: '{{l.name}}', repeat: 'l in order.lines' }],
                }),
                block('table', {
                  header: ['Name', 'Price'],
                  rows: [
                    {
                      cells: ['{{l.name}}', '{{l.price}}'],
                      repeat: 'l in order.lines',
                      condition: 'l.price > 3',
                    },
                    ['Sum', '{{sum}}'],
                  ],
                }),
                block('menu', {
                  links: [
                    { content: '{{l.name}}', href: '/{{l.name}}', repeat: 'l in order.lines' },
                  ],
                }),
              ],
            },
          ],
        },
      ],
    };
    const { text: rendered, missing } = await render(document, { order: { lines }, sum: 7 });
    expect(rendered).toBe(
      'Tea\n\nCake\n\nGift\n\n-  All\n-  Tea\n-  Cake\n\nName | Price\nCake | 4\nSum | 7\n\nTea: /Tea\nCake: /Cake\n',
    );
    expect([...missing]).toEqual([]);
    const { text: html } = await render(document, { order: { lines }, sum: 7 }, 'html');
    expect(html.match(/>\s*(?:Tea|Cake|Gift)\s*</g)).toHaveLength(8);
    const { text: mjml } = await render(document, { order: { lines }, sum: 7 }, 'mjml');
    expect(mjml.match(/<mj-section[^/]*>/g)).toHaveLength(3);
    expect(mjml).not.toContain('mj-raw');
    const { programs } = await compiled(document, 'text');
    expect([...(programs.text?.variables ?? [])].sort()).toEqual([
      'order.lines',
      'order.lines[].gift',
      'order.lines[].name',
      'order.lines[].price',
      'sum',
    ]);
  });

  it('is left out if its list is missing or empty', async () => {
    const document = documentOf([text('{{a}}', { repeat: 'a in list' }), text('End')]);
    expect((await render(document, { list: [] })).text).toBe('End\n');
    const { text: rendered, missing } = await render(document, { list: 'no list' });
    expect([rendered, ...missing]).toEqual(['End\n', 'list']);
  });

  it('may be nested in a repetition with the same item name', async () => {
    const column = block(
      'column',
      {},
      {
        blocks: [text('{{x.name}}'), text('{{x}}', { repeat: 'x in x.children' })],
        repeat: 'x in list',
      },
    );
    const data = {
      list: [
        { name: 'A', children: [1, 2] },
        { name: 'B', children: [3] },
      ],
    };
    expect((await render(documentOf([column]), data)).text).toBe('A\n\n1\n\n2\n\nB\n\n3\n');
  });

  it('whose expression cannot be parsed is shown, with a warning that names the node', async () => {
    const document = documentOf([text('{{#if a}}', { condition: '(a)', repeat: 7 }), text('{{a')]);
    const { warnings } = await compiled(document, 'html');
    const path = '/stripes/0/containers/0/blocks/0';
    expect(warnings).toEqual([
      {
        nodeId: 'b',
        path,
        message: 'The merge tag {{#if a}} is shown as text: `#if a` is not valid here.',
      },
      { nodeId: 'b', path, message: 'condition is left out: `(a)` is not valid here.' },
      { nodeId: 'b', path, message: 'repeat is left out: it must be a string.' },
      {
        nodeId: 'b',
        path: '/stripes/0/containers/0/blocks/1',
        message: 'A merge tag begins with {{ but has no }}, so it is shown as text.',
      },
    ]);
    expect((await render(document, { a: 1 })).text).toBe('{{#if a}}\n\n{{a\n');
  });
});

it('headings in a text keep their placeholders', async () => {
  const { text: rendered } = await render(
    documentOf([text('<h1>Hello {{a}}</h1><h3>{{a}}</h3>')]),
    { a: 'Ada' },
  );
  expect(rendered).toBe('Hello Ada\n\nAda\n');
});

it('a long text with many URLs takes little time', async () => {
  const button = block('button', { content: 'A', href: 'https://a.example/{{a}}' });
  const word = text(`${'a'.repeat(80_000)}{{a}}`);
  const begun = process.cpuUsage();
  await compiled(documentOf(Array<object>(2_000).fill(button).concat(word)), 'text');
  // A bug once made this take eight seconds.
  expect(process.cpuUsage(begun).user).toBeLessThan(4_000_000);
});

it('a document with too many different filters is refused', async () => {
  const zones = Intl.supportedValuesOf('timeZone').slice(0, 101);
  const tags = zones.map((zone) => `{{a | date: "full", "${zone}"}}`);
  await expect(compiled(documentOf([text(tags.join(' '))]), 'text')).rejects.toThrow(
    'it has more than 100 different filters.',
  );
});

describe('data that is too expensive', () => {
  const many = Array.from({ length: 100_000 }, () => 'x');
  const long = 'x'.repeat(100_000);

  it.each<[string, object[], MergeData]>([
    ['repetitions', [text('{{x}}', { repeat: 'x in many' })], { many }],
    ['repetitions of nothing', [text('', { repeat: 'x in many', condition: 'x == 1' })], { many }],
    ['characters', [text('{{long}}', { repeat: 'x in some' })], { long, some: many.slice(0, 100) }],
    [
      'values that are too long',
      [text('', { repeat: 'x in some', condition: 'long == long' })],
      { long, some: many.slice(0, 1_000) },
    ],
  ])('is refused because of %s', async (_what, blocks, data) => {
    await expect(render(documentOf(blocks), data)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/^The document cannot be rendered with this data: /),
    });
  });
});
