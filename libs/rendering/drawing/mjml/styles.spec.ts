import { describe, expect, it } from '@jest/globals';
import compile from '../compile.js';

const text = (content: string, props: object = {}) => ({
  type: 'text',
  props: { content, ...props },
});
const heading = (props: object = {}) => ({ type: 'heading', props: { content: 'One', ...props } });
const documentOf = (blocks: object[], more: object = {}, stripe: object = {}) => ({
  ...more,
  stripes: [{ styles: stripe, containers: [{ blocks }] }],
});

/** Draws a document as MJML, in which each element is on a line of its own. */
async function mjmlOf(
  document: object,
  publicUrl = 'https://galley.example.com/',
): Promise<{ lines: string[]; warnings: string[] }> {
  const compiled = await compile({
    content: JSON.stringify(document),
    title: '',
    format: 'mjml',
    publicUrl: publicUrl || undefined,
  });
  if ('reason' in compiled) throw new Error(compiled.reason);
  const [mjml] = compiled.programs.mjml?.parts ?? [];
  return {
    lines: typeof mjml === 'string' ? mjml.split('\n') : [],
    warnings: compiled.warnings.map(({ path, message }) => `${path} ${message}`),
  };
}

async function lineWith(document: object, part: string): Promise<string> {
  const { lines, warnings } = await mjmlOf(document);
  expect(warnings).toEqual([]);
  return lines.find((line) => line.includes(part)) ?? `Nothing contains ${part}.`;
}

const SAFE = 'https://a.example/';
const LINK = '<a href="https://a.example/">here</a>';

describe('a heading', () => {
  it.each([
    [1, '32px'],
    [2, '24px'],
    [3, '20px'],
    [4, '18px'],
    [5, '16px'],
    [6, '14px'],
  ])('of level %i has a font size of %s', async (level, size) => {
    const line = await lineWith(documentOf([heading({ level })]), `<h${level}`);
    expect(line).toContain(`font-size:${size};font-weight:bold;line-height:1.25`);
  });

  it('takes the properties of all headings, of its level, and its own, the nearest one first', async () => {
    const styles = {
      heading: { 'font-weight': 'normal', color: '#111111', 'font-size': '9px' },
      heading2: { color: '#222222', 'font-size': '10px' },
    };
    const line = await lineWith(documentOf([heading({ 'font-size': '11px' })], { styles }), '<h2');
    expect(line).toContain('color="#222222"');
    expect(line).toContain('font-size:11px;font-weight:normal');
  });
});

describe('a link without a colour of its own', () => {
  it.each<[where: string, styles: object, stripe: object, props: object, colour: string]>([
    ['by default', {}, {}, {}, '#0b5cad'],
    ['of the document', { linkColor: '#00ff00' }, {}, {}, '#00ff00'],
    ['of the text of the document', { textColor: '#00ff00' }, {}, {}, '#00ff00'],
    ['of the stripe', { linkColor: '#00ff00' }, { 'link-color': '#ff0000' }, {}, '#ff0000'],
    ['of the text of the stripe', { linkColor: '#00ff00' }, { color: '#ff0000' }, {}, '#ff0000'],
    [
      'of the text',
      { linkColor: '#00ff00' },
      { color: '#ff0000' },
      { color: '#0000ff' },
      '#0000ff',
    ],
    ['of links in the text', {}, { color: '#ff0000' }, { 'link-color': '#0000ff' }, '#0000ff'],
    ['of all texts', { text: { color: '#0000ff' } }, {}, {}, '#0000ff'],
  ])('has the colour %s', async (_where, styles, stripe, props, colour) => {
    const line = await lineWith(documentOf([text(LINK, props)], { styles }, stripe), 'here');
    expect(line).toContain(`style="color:${colour}"`);
  });

  it('keeps its own colour', async () => {
    const own = '<a href="https://a.example/" style="font-weight:bold;color:red">here</a>';
    expect(await lineWith(documentOf([text(own)]), 'here')).toContain(
      'style="font-weight:bold;color:red"',
    );
  });
});

describe('blocks in a stripe', () => {
  const stripe = {
    color: '#ffffff',
    'font-family': "Georgia, 'Times New Roman'",
    'font-size': '20px',
  };

  it.each<[type: string, props: object, part: string, inherited: (keyof typeof stripe)[]]>([
    ['text', { content: 'One' }, '>One<', ['color', 'font-family', 'font-size']],
    ['list', { items: ['One'] }, '<li>One', ['color', 'font-family', 'font-size']],
    ['html', { content: 'One' }, '>One<', ['color', 'font-family', 'font-size']],
    ['table', { rows: [['One']] }, '>One<', ['color', 'font-family', 'font-size']],
    // Headings keep their sizes, and buttons have colours of their own.
    ['heading', { content: 'One' }, '>One<', ['color', 'font-family']],
    ['button', { content: 'One' }, '>One<', ['font-family']],
  ])('of the type %s inherit its text styles', async (type, props, part, inherited) => {
    const line = await lineWith(documentOf([{ type, props }], {}, stripe), part);
    const shown = {
      color: 'color="#ffffff"',
      'font-family': 'font-family="Georgia, &#39;Times New Roman&#39;"',
      'font-size': 'font-size="20px"',
    };
    for (const [name, attribute] of Object.entries(shown)) {
      const isInherited = inherited.includes(name as keyof typeof stripe);
      expect([name, line.includes(attribute)]).toEqual([name, isInherited]);
    }
  });

  it('inherit from the container before the stripe', async () => {
    const document = {
      stripes: [
        {
          styles: { color: '#ffffff' },
          containers: [{ styles: { color: '#eeeeee' }, blocks: [text('One')] }],
        },
      ],
    };
    expect(await lineWith(document, '>One<')).toContain('color="#eeeeee"');
  });
});

describe('the direction', () => {
  it.each([
    ['ar', undefined, 'rtl', 'right'],
    ['he-IL', undefined, 'rtl', 'right'],
    ['az-Arab', undefined, 'rtl', 'right'],
    ['en', undefined, 'ltr', 'left'],
    [undefined, undefined, 'ltr', 'left'],
    ['no language!', undefined, 'ltr', 'left'],
    ['ar', 'ltr', 'ltr', 'left'],
    ['en', 'rtl', 'rtl', 'right'],
  ])(
    'of the language %s with the direction %s is %s',
    async (language, direction, result, side) => {
      const document = documentOf([text('One', { align: 'end' })], { language, direction });
      const { lines } = await mjmlOf(document);
      const mjml = lines.join('\n');
      expect(mjml).toContain(`dir="${result}"`);
      for (const element of ['mj-section', 'mj-column']) {
        expect(mjml.includes(`<${element} direction="rtl"`)).toBe(result === 'rtl');
      }
      expect(mjml).toMatch(new RegExp(`<mj-text align="${side}"`));
      const end = side === 'left' ? 'right' : 'left';
      expect(mjml).toContain(`<mj-text align="${end}">One`);
    },
  );

  it('is that of lists, quotes and cells', async () => {
    const { lines } = await mjmlOf(
      documentOf(
        [
          { type: 'list', props: { items: ['One'] } },
          text('<blockquote>two</blockquote>'),
          { type: 'table', props: { columns: [{}, { align: 'end' }], rows: [['three', 'four']] } },
        ],
        { language: 'ar' },
      ),
    );
    const mjml = lines.join('\n');
    expect(mjml).toContain('padding:0 24px 0 0');
    expect(mjml).toContain('border-right:4px');
    expect(mjml).toMatch(/text-align:right[^>]*>three/);
    expect(mjml).toMatch(/text-align:left[^>]*>four/);
  });
});

it.each([
  [{ linkColor: 'red; x' }, '/styles linkColor'],
  [{ fontSize: '1em' }, '/styles fontSize'],
  [{ lineHeight: {} }, '/styles lineHeight'],
  [{ button: { color: 'url(x)' } }, '/styles/button color'],
])('%j in the styles of the document is ignored with a warning', async (styles, warning) => {
  const { warnings } = await mjmlOf(documentOf([text('One')], { styles }));
  expect(warnings).toEqual([`${warning} has an invalid value, and is ignored.`]);
});

it.each<[stripe: object, props: object, warnings: string[]]>([
  [{ 'text-padding': '4px' }, {}, ['/stripes/0 text-padding has no effect on this node.']],
  [
    { color: 'url(x)' },
    { 'vertical-align': 'top' },
    [
      '/stripes/0 color has an invalid value, and is ignored.',
      '/stripes/0/containers/0/blocks/0 vertical-align has no effect on this node.',
    ],
  ],
])('properties that change nothing cause warnings', async (stripe, props, warnings) => {
  expect((await mjmlOf(documentOf([text('One', props)], {}, stripe))).warnings).toEqual(warnings);
});

describe('the styles of the document', () => {
  const styled = (styles: object, ...blocks: object[]) => documentOf(blocks, { styles });

  it.each([
    [{ heading: [] }, '/styles heading has an invalid value, and is ignored.'],
    [{ fontSize: 5_000 }, '/styles fontSize has an invalid value, and is ignored.'],
    [{ menu: { 'base-url': 'x' } }, '/styles/menu base-url: not a property of this node.'],
    [{ button: { href: SAFE } }, '/styles/button href: not a property of this node.'],
  ])('%j cause a warning', async (styles, warning) => {
    expect((await mjmlOf(styled(styles))).warnings).toEqual([warning]);
  });

  it('yield to the block, whatever the name of the background', async () => {
    const document = styled(
      { text: { 'container-background-color': '#ff0000' } },
      text('One', { 'background-color': '#0000ff' }),
    );
    expect(await lineWith(document, '>One')).toContain('container-background-color="#0000ff"');
  });

  it('reach the cells of tables', async () => {
    const table = { type: 'table', props: { rows: [['One']] } };
    const styles = { table: { 'vertical-align': 'middle', cellpadding: '10' } };
    const line = await lineWith(styled(styles, table), '>One');
    expect(line).toContain('vertical-align:middle');
    expect(line).not.toContain('padding:');
  });

  it('for containers are not those of columns inside a container', async () => {
    const containers = (styles: object) => [
      { styles, blocks: [{ type: 'column', blocks: [text('One')] }] },
    ];
    const documentWith = (styles: object) => ({
      styles: { container: { padding: '20px' } },
      stripes: [{ containers: containers(styles) }],
    });
    for (const styles of [{ color: '#ff0000' }, { color: '' }]) {
      const { lines } = await mjmlOf(documentWith(styles));
      expect(lines.filter((line) => line.includes('padding="20px"'))).toHaveLength(1);
    }
  });
});

it('the columns of a table keep their places beside elements that are not objects', async () => {
  const props = { columns: [null, { align: 'end' }], rows: [['One', 'two']] };
  const { lines, warnings } = await mjmlOf(documentOf([{ type: 'table', props }]));
  expect(lines.join()).toMatch(/text-align:left[^>]*>One<.*text-align:right[^>]*>two</);
  expect(warnings).toHaveLength(1);
});

it('a language of 1 MB takes no time', async () => {
  const language = `en-${'a1000000-'.repeat(100_000)}`;
  const begun = performance.now();
  await mjmlOf(documentOf([], { language }));
  expect(performance.now() - begun).toBeLessThan(1_000);
});

it.each([
  ['<a href="https://a.example/" style="color:url(x)">here</a>', 'style="color:#0b5cad"'],
  ['<p style="margin-left:2em">here</p>', 'style="margin:0;margin-left:2em"'],
  ['<p>One</p><p>here</p>', '<p style="margin:0">One</p><p style="margin:16px 0 0">here</p>'],
  ['<a name="top">here</a>', '<a name="top">here</a>'],
  ['<p style="Margin:0">here</p>', '<p style="margin:0;Margin:0">here</p>'],
])('%s has the styles of its block', async (content, expected) => {
  expect(await lineWith(documentOf([text(content)]), 'here')).toContain(expected);
});

describe('a link to a social network', () => {
  const social = (element: object) =>
    documentOf([{ type: 'social', props: { elements: [element] } }]);

  it.each([
    [{ name: 'github' }, 'alt="GitHub"'],
    [{ name: 'github-noshare' }, 'alt="GitHub"'],
    [{ name: 'github', alt: 'Our code' }, 'alt="Our code"'],
  ])('%j has a name for screen readers', async (element, alt) => {
    expect(await lineWith(social(element), '<mj-social-element')).toContain(alt);
  });

  it('that has a text is not read twice', async () => {
    const line = await lineWith(social({ name: 'github', content: 'Code' }), '<mj-social-element');
    expect(line).not.toContain('alt=');
  });

  it('has the icon of Galley', async () => {
    expect(await lineWith(social({ name: 'mastodon' }), '<mj-social-element')).toContain(
      'src="https://galley.example.com/icons/mastodon.png" background-color="#6364ff"',
    );
  });

  it('has the icon inside the HTML without a public URL, with one warning', async () => {
    const elements = [{ name: 'mastodon' }, { name: 'threads' }];
    const document = documentOf([{ type: 'social', props: { elements } }]);
    const { lines, warnings } = await mjmlOf(document, '');
    const icons = lines.filter((line) => line.includes('src="data:image/png;base64,'));
    expect(icons).toHaveLength(2);
    expect(warnings).toEqual([
      expect.stringContaining('the operator of Galley must set PUBLIC_URL'),
    ]);
  });

  it.each(['myspace', 'constructor'])('%s without an icon causes a warning', async (name) => {
    const { warnings } = await mjmlOf(social({ name }));
    expect(warnings).toEqual([
      `/stripes/0/containers/0/blocks/0/props/elements/0 There is no icon of ${name}: set src.`,
    ]);
    const src = 'https://a.example/icon.png';
    expect((await mjmlOf(social({ name, src }))).warnings).toEqual([]);
  });
});

it('paragraphs of large text are not torn apart', async () => {
  const large = text('<p>One</p><p>here</p>', { 'font-size': '40px' });
  expect(await lineWith(documentOf([large]), 'here')).toContain('<p style="margin:16px 0 0">here');
});

it('a colour without commas gets commas', async () => {
  const line = await lineWith(documentOf([text('here', { color: 'rgb(51 51 51)' })]), 'here');
  expect(line).toContain('color="rgb(51,51,51)"');
});

it('the background of a text is the background of its block', async () => {
  const line = await lineWith(documentOf([text('One', { 'background-color': '#ff0000' })]), 'One');
  expect(line).toContain('container-background-color="#ff0000"');
});
