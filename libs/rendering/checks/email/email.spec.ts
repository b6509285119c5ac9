import { describe, expect, it } from '@jest/globals';
import { readEmail } from './email.js';

const KNOWN = { html: '<p>', warnings: [], latestVersions: { m: 3 } };
const text = (content: string, node: object = {}) => ({
  type: 'text',
  props: { content },
  ...node,
});
const pathsOf = (places: Iterable<{ path: string }>) => [...places].map(({ path }) => path);

const read = (document: Record<string, unknown>) => readEmail(document, KNOWN);
/** An email with one container. */
const readBlocks = (blocks: unknown, more: object = {}) =>
  read({ ...more, stripes: [{ containers: [{ blocks }] }] });

describe('an email', () => {
  it('has the nodes of the document in order', () => {
    const document = {
      stripes: [
        { containers: [{ blocks: [text('One'), 'no object'] }] },
        7,
        { containers: 'none' },
      ],
    };
    const { nodes, blocks, document: root } = read(document);
    expect(pathsOf(nodes)).toEqual([
      '',
      '/stripes/0',
      '/stripes/2',
      '/stripes/0/containers/0',
      '/stripes/0/containers/0/blocks/0',
    ]);
    expect(pathsOf(blocks)).toEqual(['/stripes/0/containers/0/blocks/0']);
    expect(root).toEqual({ node: document, path: '' });
  });

  it('has the HTML, the warnings and the latest versions of modules', () => {
    expect(read({})).toMatchObject(KNOWN);
  });

  it('has the texts, links and pictures of all blocks', () => {
    const link = '<a href="https://a.example/">two</a>';
    const image = { type: 'image', props: { src: 'https://a.example/b.png' } };
    const { texts, links, images } = readBlocks([text('One'), image, text(link)]);
    expect(texts.map(({ rich }) => rich.text)).toEqual(['One', 'two']);
    expect(links.map(({ label }) => label)).toEqual(['two']);
    expect(pathsOf(images.map(({ place }) => place))).toEqual(['/stripes/0/containers/0/blocks/1']);
  });

  it('has the blocks of columns if a container contains only columns', () => {
    const column = (...blocks: object[]) => ({ type: 'column', blocks });
    expect(pathsOf(readBlocks([column(text('One')), column(text('two'))]).blocks)).toEqual([
      '/stripes/0/containers/0/blocks/0/blocks/0',
      '/stripes/0/containers/0/blocks/1/blocks/0',
    ]);
    expect(pathsOf(readBlocks([column(text('One')), text('two')]).blocks)).toEqual([
      '/stripes/0/containers/0/blocks/0',
      '/stripes/0/containers/0/blocks/1',
    ]);
  });
});

describe('a module', () => {
  const mark = { $module: { id: 'm', version: 1 } };

  it('includes all nodes inside it', () => {
    const stripe = { containers: [{ blocks: [text('One')] }] };
    const { nodesOfModules } = read({ stripes: [stripe, { ...stripe, ...mark }] });
    expect(pathsOf(nodesOfModules)).toEqual([
      '/stripes/1',
      '/stripes/1/containers/0',
      '/stripes/1/containers/0/blocks/0',
    ]);
  });

  it('that is missing is not a node', () => {
    const missing = { $module: { id: 'm', problem: 'not_found' } };
    const { missingModules, blocks, nodes } = readBlocks([missing, text('One')]);
    expect(pathsOf(missingModules)).toEqual(['/stripes/0/containers/0/blocks/0']);
    expect(pathsOf(blocks)).toEqual(['/stripes/0/containers/0/blocks/1']);
    expect(nodes).toHaveLength(4);
  });
});

it('nodes that are shown only on phones are found, including all nodes inside them', () => {
  const containers = [{ blocks: [text('One')] }];
  const { mobileNodes } = read({
    stripes: [
      { containers, visibility: 'mobile' },
      { containers, visibility: 'desktop' },
      { containers: [{ blocks: [text('One', { visibility: 'mobile' })] }] },
    ],
  });
  expect(pathsOf(mobileNodes)).toEqual([
    '/stripes/0',
    '/stripes/0/containers/0',
    '/stripes/0/containers/0/blocks/0',
    '/stripes/2/containers/0/blocks/0',
  ]);
});

describe('the background of a text', () => {
  const RED = { colour: [255, 0, 0] };
  const UNSET = { colour: [255, 255, 255] };
  const red = { 'background-color': '#f00' };
  const blue = { 'background-color': '#00f' };

  it.each([
    ['the document', { document: { backgroundColor: '#f00' } }, RED],
    [
      'the mail client if the document has no valid colour',
      { document: { backgroundColor: 7 } },
      UNSET,
    ],
    ['a stripe', { document: { backgroundColor: '#00f' }, stripe: red }, RED],
    ['the inside of a stripe', { stripe: { ...blue, 'inner-background-color': '#f00' } }, RED],
    ['a container', { stripe: blue, container: red }, RED],
    ['a column', { stripe: blue, column: red }, RED],
    ['the inside of a column', { column: { ...blue, 'inner-background-color': '#f00' } }, RED],
    ['a container of columns', { container: red, column: {} }, RED],
    ['all stripes', { document: { stripe: red } }, RED],
    [
      'a container of columns before all containers',
      { document: { container: blue }, container: red, column: {} },
      RED,
    ],
    ['all containers', { document: { container: red }, stripe: blue }, RED],
    [
      'a picture',
      { stripe: { ...red, 'background-url': 'https://a.example/b.png' } },
      { colour: undefined },
    ],
  ])(
    'is that of %s',
    (
      _what,
      styles: { document?: object; stripe?: object; container?: object; column?: object },
      background,
    ) => {
      const { document, stripe, container, column } = styles;
      const block = text('One');
      const blocks = column ? [{ type: 'column', props: column, blocks: [block] }] : [block];
      const { texts } = read({
        styles: document,
        stripes: [{ styles: stripe, containers: [{ styles: container, blocks }] }],
      });
      expect(texts[0]?.rich.runs[0]?.style.background).toEqual(background);
    },
  );
});
