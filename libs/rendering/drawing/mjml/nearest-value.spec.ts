import { describe, expect, it } from '@jest/globals';
import compile from '../compile.js';

const text = (props: object = {}) => ({ type: 'text', props: { content: 'here', ...props } });

async function render(document: object) {
  const compiled = await compile({ content: JSON.stringify(document), title: '', format: 'all' });
  if ('reason' in compiled) throw new Error(compiled.reason);
  const { programs, warnings } = compiled;
  const [mjml = '', html = ''] = [programs.mjml, programs.html].map((each) =>
    each?.parts.map(String).join(''),
  );
  return { mjml, html, messages: warnings.map(({ path, message }) => `${path} ${message}`) };
}
const stripeWith = (block: object, stripe: object = {}) => ({
  ...stripe,
  containers: [{ blocks: [block] }],
});

describe('the padding of a node', () => {
  it.each([
    ['stripe', { 'padding-left': '32px' }, 'mj-section padding="0"'],
    ['text', { 'padding-left': '32px' }, 'mj-text padding="0"'],
    ['text', { 'padding-left': '32px', padding: '1px 2px' }, 'mj-text padding="0"'],
  ])('wins over a side that the document sets for each %s', async (kind, own, expected) => {
    const document = {
      styles: { [kind]: own },
      stripes: [stripeWith(text({ padding: '0' }), { styles: { padding: '0' } })],
    };
    const { mjml } = await render(document);
    expect(mjml).toContain(expected);
    expect(mjml).not.toContain('padding-left');
  });

  it('keeps the sides that the document does not set', async () => {
    const headings = { type: 'heading', props: { content: 'A', level: 1 } };
    const document = {
      styles: { heading: { 'padding-top': '1px' }, heading1: { 'padding-left': '2px' } },
      stripes: [stripeWith(headings)],
    };
    expect((await render(document)).mjml).toContain('padding="1px 24px 4px 2px"');
  });
});

it('a size of a stripe wins over the size that the document sets for phones', async () => {
  const styles = { mobile: { text: { 'font-size': '17px' } } };
  const small = { styles: { 'font-size': '14px' } };
  const { html } = await render({ styles, stripes: [stripeWith(text(), small)] });
  expect(html).not.toContain('17px');
  expect((await render({ styles, stripes: [stripeWith(text())] })).html).toContain('17px');
});

it('a button with a colour of its own has no colours of the document for dark mode', async () => {
  const styles = { dark: { button: { color: '#111111', 'background-color': '#eeeeee' } } };
  const button = { type: 'button', props: { content: 'Go', 'background-color': '#990000' } };
  expect((await render({ styles, stripes: [stripeWith(button)] })).html).not.toContain('#111111');
});

it('a button with colours for dark mode changes under the mouse only in light mode', async () => {
  const button = { type: 'button', props: { content: 'Go' }, hover: { color: '#110000' } };
  const dark = { dark: { color: '#eeeeee' } };
  const { html } = await render({ stripes: [stripeWith({ ...button, ...dark })] });
  expect(html).toMatch(/@media \(prefers-color-scheme:light\)\{[^}]*tr:hover>td>a[^}]*#110000/);
  expect((await render({ stripes: [stripeWith(button)] })).html).not.toContain('prefers-color');
});

it.each([
  [{ buttons: {} }, '/styles buttons: not a property of all nodes.'],
  [{ mobile: { hero: {} } }, '/styles/mobile hero: not a property of all nodes.'],
  [{ dark: { color: '#000000' } }, '/styles/dark color: not a property of all nodes.'],
])('%j in the styles of a document causes a warning', async (styles, message) => {
  expect((await render({ styles, stripes: [] })).messages).toEqual([message]);
});

describe('columns without a width', () => {
  const widthsOf = async (widths: (string | undefined)[], styles: object = {}) => {
    const containers = widths.map((width) => ({
      styles: { 'vertical-align': 'top', ...(width && { width }) },
      blocks: [text()],
    }));
    const { mjml } = await render({ stripes: [{ styles, containers }] });
    return Array.from(
      mjml.matchAll(/<mj-column[^>]*?(?: width="([^"]*)")?[^>]*?>/g),
      ([tag]) => / width="([^"]*)"/.exec(tag)?.[1],
    );
  };

  it.each([
    [['20%', undefined], {}, ['20%', '80%']],
    [['120px', undefined], {}, ['120px', '80%']],
    [['116px', undefined], { padding: '0 10px' }, ['116px', '80%']],
    [['50%', undefined, undefined], {}, ['50%', '25%', '25%']],
    [[undefined, undefined], {}, [undefined, undefined]],
    [['100%', undefined], {}, ['100%', undefined]],
    [['120px', undefined], { padding: '0 1%' }, ['120px', undefined]],
  ])('%j share the rest', async (widths, styles, expected) => {
    expect(await widthsOf(widths, styles)).toEqual(expected);
  });
});

describe('a table', () => {
  const table = (props: object, styles: object = {}) =>
    render({
      styles,
      stripes: [stripeWith({ type: 'table', props: { rows: [['A', 'B']], ...props } })],
    });

  it.each([
    [{ 'row-border': 'none' }, {}, 'border-bottom:none'],
    [{ 'cell-padding': '4px 0' }, {}, 'padding:4px 0;border-bottom:1px solid #d5dae0'],
    [{}, { table: { 'row-border': '2px solid #990000' } }, 'border-bottom:2px solid #990000'],
  ])('with %j and %j has cells like that', async (props, styles, expected) => {
    const { html, messages } = await table(props, styles);
    expect(messages).toEqual([]);
    expect(html).toContain(expected);
    expect(html).not.toContain('row-border');
  });
});

it('a reversed row has its columns in the direction that it sets', async () => {
  const row = (styles: object) =>
    render({
      stripes: [{ styles, mobile: { reverse: true }, containers: [{ blocks: [text()] }] }],
    });
  expect((await row({})).mjml).toMatch(/<mj-section [^>]*direction="rtl"/);
  expect((await row({ direction: 'rtl' })).mjml).toMatch(/<mj-section [^>]*direction="ltr"/);
});

it('a hero without a height has one for its padding', async () => {
  const hero = { type: 'hero', styles: { padding: '40px 0' }, blocks: [text()] };
  expect((await render({ stripes: [hero] })).html).not.toContain('height:-');
});

it('a font whose name has a number is in quotes', async () => {
  const font = { name: 'Exo 2', url: 'https://a.example/exo.woff2' };
  const { html, messages } = await render({
    fonts: [font],
    styles: { fontFamily: 'Exo 2' },
    stripes: [stripeWith(text())],
  });
  expect(messages).toEqual([]);
  expect(html).toContain("@font-face{font-family:'Exo 2';");
  expect(html).toContain('font-family:&#39;Exo 2&#39;, Arial, sans-serif');
});

it('a padding for phones replaces the sides that the document sets', async () => {
  const styles = { mobile: { text: { padding: '4px', 'padding-top': '20px' } } };
  const block = { ...text(), mobile: { padding: '0' } };
  const { html } = await render({ styles, stripes: [stripeWith(block)] });
  expect(html).toContain('padding:0!important}');
});

it('a class alone does not make a container keep its columns together', async () => {
  const column = { type: 'column', blocks: [text()] };
  const container = { styles: { 'css-class': 'mine' }, blocks: [column, column] };
  expect((await render({ stripes: [{ containers: [container] }] })).mjml).not.toContain(
    'galley-columns',
  );
});

it.each([
  [{ hide: 'yes' }, 'hide has an invalid value, and is ignored.'],
  [{ stack: false }, 'stack: not a property of this node.'],
])('%j of a block for phones causes a warning', async (mobile, message) => {
  const { messages } = await render({ stripes: [stripeWith({ ...text(), mobile })] });
  expect(messages).toEqual([`/stripes/0/containers/0/blocks/0/mobile ${message}`]);
});

it.each([
  [['70%', undefined], '30%'],
  [['40%', 'mobile', undefined], '60%'],
])('columns %j inside a container share the rest', async (widths, expected) => {
  const columns = widths.map((width) => ({
    type: 'column',
    ...(width === 'mobile' ? { visibility: 'mobile' } : { props: { width: width ?? '' } }),
    blocks: [text()],
  }));
  const container = { styles: { padding: '1px' }, blocks: columns };
  expect((await render({ stripes: [{ containers: [container] }] })).mjml).toContain(
    `<mj-column width="${expected}">`,
  );
});

it('a reversed row also reverses the columns that replace a container', async () => {
  const named = (content: string) => ({ type: 'text', props: { content } });
  const column = (content: string) => ({ type: 'column', blocks: [named(content)] });
  const containers = [{ blocks: [named('one')] }, { blocks: [column('two'), column('three')] }];
  const { mjml } = await render({ stripes: [{ mobile: { reverse: true }, containers }] });
  expect(mjml.match(/one|two|three/g)).toEqual(['three', 'two', 'one']);
});

it('a row with a repeated container is not reversed, with a warning', async () => {
  const containers = [{ repeat: 'each in list', blocks: [text()] }, { blocks: [text()] }];
  const { mjml, messages } = await render({ stripes: [{ mobile: { reverse: true }, containers }] });
  expect(mjml).not.toContain('direction="rtl"');
  expect(messages).toEqual([
    '/stripes/0/mobile reverse is ignored, because a container is repeated.',
  ]);
});

it('a node for phones that is hidden on phones is never shown', async () => {
  const block = { ...text(), visibility: 'mobile', mobile: { hide: true } };
  const { mjml } = await render({ stripes: [stripeWith(block)] });
  expect(mjml).toContain('css-class="galley-mobile-only galley-desktop-only"');
});
