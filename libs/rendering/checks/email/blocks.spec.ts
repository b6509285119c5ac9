import { describe, expect, it } from '@jest/globals';
import { RenderWarnings } from '../../document/index.js';
import { Drawing, readStyles } from '../../drawing/index.js';
import { Placeholders } from '../../personalisation/index.js';
import { readBlock } from './blocks.js';

const TEXT_COLOUR = [31, 41, 51];
const WHITE = [255, 255, 255];
const A = 'https://a.example/';

const DOCUMENT = { stripes: [] };
const drawing = new Drawing(new Placeholders(), new RenderWarnings(), DOCUMENT);
const surroundings = {
  drawing,
  document: readStyles(drawing, DOCUMENT),
  inherited: {},
  dark: {},
  staysLight: false,
  background: { colour: [255, 255, 255] as const },
  darkBackground: { colour: [255, 255, 255] as const },
};
const read = (type: unknown, props?: unknown) =>
  readBlock({ node: { type, props }, path: '/b' }, surroundings);
const linksOf = (type: string, props: object) =>
  read(type, props).links.map(({ place, href, label }) => [place.path, href, label]);
const styleOf = (type: string, props: object) => read(type, props).texts[0]?.rich.runs[0]?.style;

describe('the texts of a block', () => {
  it.each<[type: string, props: object, paragraphs: string[]]>([
    ['text', { content: '<p>One</p>two' }, ['One', 'two']],
    ['text', { content: 7 }, ['7']],
    ['text', {}, []],
    ['heading', { content: 'One' }, ['One']],
    ['html', { content: '<table><tr><td>One</td></tr></table>' }, ['One']],
    ['raw', { content: '<table><tr><td>One</td></tr></table>' }, ['One']],
    ['text', { content: '<script>alert(1)</script>One' }, ['One']],
    ['html', { content: '<script>alert(1)</script>One' }, ['One']],
    ['list', { items: ['One', { content: '<b>two</b>' }, null, 3] }, ['One', 'two', '3']],
    ['list', { items: 'One' }, []],
    [
      'table',
      { header: ['One', 'two'], rows: [['three'], { cells: ['four', 5] }, { cells: 'six' }] },
      ['One', 'two', 'three', 'four', '5'],
    ],
    ['table', { rows: {} }, []],
    ['button', { content: 'One' }, ['One']],
  ])('%s with %j', (type, props, paragraphs) => {
    const [text, ...others] = read(type, props).texts;
    expect([text?.type, text?.place.path, others]).toEqual([type, '/b', []]);
    expect(text?.rich.paragraphs).toEqual(paragraphs);
  });

  it('keep their source, including parts that the HTML leaves out', () => {
    expect(read('text', { content: '<form>One' }).texts[0]?.source).toBe('<form>One');
    expect(read('list', { items: ['<form>One', 'two'] }).texts[0]?.source).toBe('<form>One two');
  });

  it.each(['constructor', undefined, 7])('do not exist for the type %s', (type) => {
    expect(read(type, { content: 'One' })).toEqual({ texts: [], links: [], images: [] });
  });

  it('without properties are empty', () => {
    expect(read('text').texts[0]?.rich.text).toBe('');
  });
});

describe('the style of a block', () => {
  const style = {
    colour: TEXT_COLOUR,
    background: { colour: [255, 255, 255] as const },
    fontSize: 16,
    isBold: false,
  };
  const white = { colour: WHITE };

  it.each<[type: string, props: object, changes: object]>([
    ['text', {}, {}],
    ['text', { color: '', 'font-size': '', 'font-weight': '' }, {}],
    ['text', { color: '#fff' }, { colour: WHITE }],
    ['text', { 'font-size': '20px', 'font-weight': 'bold' }, { fontSize: 20, isBold: true }],
    ['text', { 'container-background-color': '#fff' }, { background: white }],
    ['heading', {}, { fontSize: 24, isBold: true }],
    ['heading', { 'font-size': '9px' }, { fontSize: 9, isBold: true }],
    [
      'button',
      {},
      {
        colour: WHITE,
        background: { colour: [11, 92, 173] },
        isBold: true,
      },
    ],
    [
      'button',
      { color: '#000', 'background-color': '#fff' },
      { colour: [0, 0, 0], background: white, isBold: true },
    ],
  ])('%s with %j', (type, props, changes) => {
    expect(styleOf(type, { ...props, content: 'One' })).toEqual({ ...style, ...changes });
  });

  const elements = [
    { content: 'One', href: A },
    { content: 'two', href: A, color: '#fff' },
  ];

  it.each<[type: string, member: string, styles: object[]]>([
    [
      'social',
      'elements',
      [
        { colour: [0, 0, 255], fontSize: 20 },
        { colour: WHITE, fontSize: 20 },
      ],
    ],
    // MJML has no text properties for a menu as a whole, only for each link.
    [
      'menu',
      'links',
      [
        { colour: TEXT_COLOUR, fontSize: 16 },
        { colour: WHITE, fontSize: 16 },
      ],
    ],
  ])('%s with styles of its %s', (type, member, styles) => {
    const { texts } = read(type, { 'font-size': '20px', color: '#00f', [member]: elements });
    expect(texts.map(({ rich }) => rich.runs[0]?.style)).toMatchObject(styles);
  });
});

describe('the links of a block', () => {
  it.each<[type: string, props: object, links: unknown[]]>([
    ['text', { content: `<a href="${A}">One</a>` }, [['/b', A, 'One']]],
    ['button', { content: '<b>One</b>', href: A }, [['/b', A, 'One']]],
    ['button', { content: 'One' }, [['/b', undefined, 'One']]],
    // Galley omits `javascript:` URLs.
    ['button', { content: 'One', href: 'javascript:alert(1)' }, [['/b', '', 'One']]],
    ['image', { src: A, href: A, alt: 'One' }, [['/b', A, 'One']]],
    ['image', { src: A, alt: 'One' }, []],
    ['image', { src: A, href: 'javascript:alert(1)' }, []],
    ['video', { poster: A, src: A, alt: 'One' }, [['/b', A, 'One']]],
    ['video', { poster: A }, [['/b', '', undefined]]],
    [
      'social',
      {
        elements: [
          { name: 'x', content: '<b>One</b>', alt: 'two', href: A },
          { name: 'x', alt: 'two', href: A },
          { name: 'x', href: 'javascript:alert(1)' },
          {},
          'no object',
        ],
      },
      [
        ['/b/props/elements/0', A, 'One'],
        ['/b/props/elements/1', A, 'two'],
        ['/b/props/elements/2', '', 'x'],
        ['/b/props/elements/3', undefined, ''],
      ],
    ],
    [
      'menu',
      { 'base-url': 'https://a.example', links: [{ content: ' One ', href: '/b' }, {}] },
      [
        ['/b/props/links/0', 'https://a.example/b', 'One'],
        ['/b/props/links/1', undefined, ''],
      ],
    ],
    ['navbar', { links: [{ content: 'One', href: A }] }, [['/b/props/links/0', A, 'One']]],
    ['menu', { links: {} }, []],
  ])('%s with %j', (type, props, links) => {
    expect(linksOf(type, props)).toEqual(links);
  });

  it('include the texts of menu links and social links', () => {
    const { texts } = read('menu', { links: [{ content: ' One ', href: A }, {}] });
    expect(texts.map(({ type, source, rich }) => [type, source, rich.text])).toEqual([
      ['link', '', 'One'],
      ['link', '', ''],
    ]);
    expect(texts.map(({ rich }) => rich.runs)).toMatchObject([
      [{ text: 'One', isInLink: true }],
      [],
    ]);
    const social = read('social', { elements: [{ content: '<form>One', href: A }] }).texts;
    expect(social.map(({ type, source, rich }) => [type, source, rich.text])).toEqual([
      ['link', '<form>One', 'One'],
    ]);
  });
});

describe('the pictures of a block', () => {
  const picture = {
    src: A,
    alt: undefined,
    width: undefined,
    height: undefined,
    isInLink: false,
    hasColumnWidth: true,
  };

  it.each<[type: string, props: object, changes: object]>([
    ['image', { src: A }, {}],
    ['image', { src: A, alt: '', width: '9px', height: 8 }, { alt: '', width: '9px', height: '8' }],
    ['image', { src: A, href: A }, { isInLink: true }],
    ['image', {}, { src: undefined }],
    ['video', { poster: A, src: A }, { isInLink: true }],
    ['html', { content: `<img src="${A}">` }, { hasColumnWidth: false }],
    [
      'html',
      { content: `<a href="${A}"><img src="${A}" alt="One" width="9" height="8"></a>` },
      { alt: 'One', width: '9', height: '8', isInLink: true, hasColumnWidth: false },
    ],
    [
      'html',
      { content: `<img src="${A}" style="color:red;max-width : 90px">` },
      { width: '90px', hasColumnWidth: false },
    ],
    [
      'html',
      { content: `<img src="${A}" style="width:80px;height:9px">` },
      { width: '80px', hasColumnWidth: false },
    ],
    ['html', { content: `<img src="${A}" style="border-width:9px">` }, { hasColumnWidth: false }],
  ])('%s with %j', (type, props, changes) => {
    const { images } = read(type, props);
    expect(images).toEqual([{ ...picture, ...changes, place: images[0]?.place }]);
    expect(images[0]?.place.path).toBe('/b');
  });
});
