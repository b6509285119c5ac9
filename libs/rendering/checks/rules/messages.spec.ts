import { expect, it } from '@jest/globals';
import { readEmail } from '../email/email.js';
import { findIn } from '../findings.js';
import { rules, type RuleName } from '../rules.js';

// cspell:ignore engl notexample Mehr désinscrire Cancelar suscripción

type Document = Record<string, unknown>;
const SRC = 'https://example.com/a.png';

const block = (type: string, props: object, node: object = {}) => ({ type, props, ...node });
const text = (content: string, props: object = {}) => block('text', { content, ...props });
const link = (href: string, label: string) => text(`<a href="${href}">${label}</a>`);
const image = (props: object) => block('image', { src: SRC, alt: 'A', width: '9px', ...props });
const html = (content: string) => block('html', { content });
const button = (props: object) => block('button', { content: 'A', href: SRC, ...props });
const times = <Value>(count: number, value: Value) => Array<Value>(count).fill(value);

const emailOf = (...blocks: object[]): Document => ({ stripes: [{ containers: [{ blocks }] }] });
const withStyles = (styles: object, ...blocks: object[]) => ({ ...emailOf(...blocks), styles });

/** The messages of one rule about a document. */
function messagesOf(name: RuleName, document: Document): string[] {
  const email = readEmail(document, { html: '', warnings: [], latestVersions: {} });
  const tested = rules.filter((rule) => rule.name === name);
  return findIn(email, tested, {}).findings.map(({ message }) => message);
}

it.each<[RuleName, Document, unknown[]]>([
  // Structure.
  ['language-missing', {}, ['The document has no language.']],
  ['language-missing', { language: 'de' }, []],
  ['language-missing', { language: 'fil-Latn-PH-x1' }, []],
  ...['e', 'engl', 'en-', 'en US', 'xx en', 'en-a-b', 'en-aa-bb-cc-dd'].map(
    (language): [RuleName, Document, string[]] => [
      'language-missing',
      { language },
      ['The `language` of the document is not a valid language tag.'],
    ],
  ),
  ['title-missing', {}, ['The document has no title of its own.']],
  ['heading-missing', emailOf(), []],
  ['heading-missing', emailOf(image({})), []],
  ['heading-missing', emailOf(text('A')), ['The email has no heading.']],
  // A heading that is shown only on phones does not count.
  [
    'heading-missing',
    emailOf(block('heading', { content: 'A' }, { visibility: 'mobile' })),
    ['The email has no heading.'],
  ],
  ['heading-missing', emailOf(text('<h2> </h2>A')), ['The email has no heading.']],
  ['heading-missing', emailOf(text('<h2>A</h2>')), []],
  // Headings without a valid level have level 2.
  ...[undefined, 0, 7, 2.5, '3'].map((level): [RuleName, Document, string[]] => [
    'heading-level-skipped',
    emailOf(text('<h1>A</h1>'), block('heading', { content: 'A', level }), text('<h3>A</h3>')),
    [],
  ]),
  [
    'heading-level-skipped',
    emailOf(text('<h1>A</h1><h6>A</h6>'), block('heading', { content: 'A', level: 6 })),
    ['A heading of level 6 follows one of level 1.'],
  ],
  ['heading-repeated', emailOf(text('<h1>A</h1>')), []],
  [
    'heading-repeated',
    emailOf(...times(3, block('heading', { content: 'A', level: 1 }))),
    times(2, 'The email has another heading of level 1 before this one.'),
  ],
  ['id-duplicate', emailOf(...times(2, { ...text('A'), id: '' })), []],
  [
    'id-duplicate',
    emailOf(...times(3, { ...text('A'), id: 7 })),
    times(2, 'Another node of the document has the same id.'),
  ],
  [
    'module-missing',
    emailOf({ $module: { id: 'm'.repeat(101), problem: 'not_found' } }),
    [`The module ${'m'.repeat(100)} cannot be inserted here.`],
  ],

  // Links.
  ['link-empty', emailOf(button({ href: ' ' })), ['The link leads nowhere.']],
  ['link-empty', emailOf(link(' # ', 'A')), ['The link leads nowhere.']],
  ['link-address', emailOf(link('', 'A'), link(' ', 'A'), link(' #top', 'A')), []],
  ['link-address', emailOf(link(' https://example.com/', 'A')), []],
  [
    'link-address',
    emailOf(link('a/https://example.com/', 'A')),
    ['The URL of the link has no scheme, such as https:// or mailto:.'],
  ],
  [
    'link-insecure',
    emailOf(link(' HTTP://example.com/', 'A')),
    ['The link uses http://, which is not encrypted.'],
  ],
  ['link-mismatch', emailOf(link('https://example.com/', 'Visit example.org')), []],
  ['link-mismatch', emailOf(link('https://example.com/', 'example.org is')), []],
  ['link-mismatch', emailOf(link('https://www.example.com/', 'shop.example.com')), []],
  ['link-mismatch', emailOf(link('https://shop.example.com/', 'https://example.com/a?b#c')), []],
  ['link-mismatch', emailOf(link('ftp://example.com/', 'example.org')), []],
  ['link-mismatch', emailOf(link('https://{{host}}/', 'example.org')), []],
  ['link-mismatch', emailOf(link('/shop', 'example.org')), []],
  ['link-mismatch', emailOf(link('https://example.com/', `${'a'.repeat(250)}.org`)), []],
  [
    'link-mismatch',
    emailOf(link('https://notexample.com/', 'http://Example.com')),
    ['The link shows example.com, but leads to notexample.com.'],
  ],
  [
    'link-mismatch',
    emailOf(link(`https://${'a.'.repeat(200)}com/`, 'example.com')),
    [`The link shows example.com, but leads to ${'a.'.repeat(127).slice(0, 253)}.`],
  ],
  [
    'link-vague',
    emailOf(link(SRC, '» Mehr… '), link(SRC, 'Más'), link(SRC, '1 more'), link(SRC, 'Details')),
    ['» Mehr…', 'Más', 'Details'].map(
      (label) => `The text "${label}" does not say where the link leads.`,
    ),
  ],
  ['link-without-text', emailOf(image({ alt: undefined, href: SRC })), []],
  ['unsubscribe-missing', emailOf(link(`https://a.example/?opt_out`, 'A')), []],
  ['unsubscribe-missing', emailOf(link(SRC, 'Email preferences')), []],
  ['unsubscribe-missing', emailOf(link(SRC, 'Se désinscrire')), []],
  ['unsubscribe-missing', emailOf(link(SRC, 'Cancelar la suscripción')), []],
  ['unsubscribe-missing', emailOf(link(SRC, `${'a'.repeat(1_991)}unsubscribe`)), []],
  [
    'unsubscribe-missing',
    emailOf(link(SRC, `${'a'.repeat(1_992)}unsubscribe`)),
    ['No link looks like an unsubscribe link.'],
  ],

  // Images.
  ['alt-file-name', emailOf(image({ alt: 'a b.jpeg of' }), image({ alt: 'my DSC 12' })), []],
  ['alt-file-name', emailOf(image({ alt: ` ${'a'.repeat(201)}.png ` })), []],
  ...[`${'a'.repeat(200)}.png`, 'dsc12', ' screenshot-7 ', '100%.webp', 'image 1'].map(
    (alt): [RuleName, Document, string[]] => [
      'alt-file-name',
      emailOf(image({ alt })),
      ['The alternative text of the picture is only a file name.'],
    ],
  ),
  [
    'alt-redundant',
    emailOf(image({ alt: 'The pictures of a lake' }), image({ alt: undefined })),
    [],
  ],
  ...['an icon', ' The photograph of a lake', 'GRAPHIC of'].map(
    (alt): [RuleName, Document, string[]] => [
      'alt-redundant',
      emailOf(image({ alt })),
      ['The alternative text says that this is a picture.'],
    ],
  ),
  ['image-source-missing', emailOf(image({ src: ' ' })), ['The picture has no URL.']],
  ['image-address', emailOf(image({ src: ' ' }), image({ src: ` ${SRC}` })), []],
  [
    'image-address',
    emailOf(image({ src: 'see https://example.com/a.png' })),
    ['The URL of the picture does not begin with https://.'],
  ],
  [
    'image-insecure',
    emailOf(image({ src: ' HTTP://a/' })),
    ['The picture is loaded without encryption.'],
  ],
  ['image-insecure', emailOf(image({ src: 'https://a/http:' })), []],
  [
    'image-without-width',
    emailOf(html(`<img src="${SRC}" width=" auto ">`)),
    ['A picture in the HTML has no width.'],
  ],
  [
    'image-without-size',
    emailOf(image({ width: ' ', height: ' auto ' }), image({ width: '', height: '9px' })),
    ['The picture has no `width` or `height`, so it fills its column.'],
  ],
  ['image-without-size', emailOf(html(`<img src="${SRC}">`)), []],
  [
    'images-without-text',
    emailOf(text('a'.repeat(24)), text('a'.repeat(25)), image({})),
    ['The email has pictures, but hardly any text.'],
  ],
  ['images-without-text', emailOf(text('a'.repeat(25)), text('a'.repeat(25)), image({})), []],
  [
    'images-many',
    emailOf(text('a'.repeat(89)), ...times(3, image({}))),
    ['The email has 3 pictures and 89 characters of text.'],
  ],
  ['images-many', emailOf(text('a'.repeat(90)), ...times(3, image({}))), []],
  ['images-many', emailOf(text('a'.repeat(50)), ...times(2, image({}))), []],
  [
    'images-many',
    emailOf(text('a'.repeat(50)), ...times(3, image({}))),
    ['The email has 3 pictures and 50 characters of text.'],
  ],
  // The rule `images-without-text` reports this document instead.
  ['images-many', emailOf(text('a'.repeat(49)), ...times(3, image({}))), []],
  [
    'images-many',
    emailOf(...times(41, image({}))),
    ['The email has 41 pictures and 0 characters of text.'],
  ],

  // Texts.
  ['text-empty', emailOf(button({ content: ' ' })), ['The button block has no text.']],
  ['text-empty', emailOf(html(`<img src="${SRC}">`), block('table', {})), []],
  [
    'text-small',
    emailOf(text('<b style="font-size:9px">A</b><b style="font-size:11px">B</b>')),
    ['The text has a font size of 9px.'],
  ],
  ['text-small', emailOf(text('A', { 'font-size': '2em' })), []],
  ['text-capitals', emailOf(text('A'.repeat(19)), text(`1 ${'A-'.repeat(19)}`)), []],
  [
    'text-capitals',
    emailOf(text('A'.repeat(20)), text(`small<p>${'B 2-'.repeat(20)}</p>`)),
    times(2, 'The text is written in capitals.'),
  ],
  ['paragraph-long', emailOf(text('a'.repeat(800))), []],
  [
    'paragraph-long',
    emailOf(text(`A<p>${'a'.repeat(801)}</p>`)),
    ['A paragraph has 801 characters.'],
  ],
  [
    'markup-removed',
    emailOf(html('<form><INPUT><select><x1><x2><x3><b><form>')),
    ['These tags are left out of the email: <form>, <input>, <select>, <x1>, <x2>.'],
  ],
  [
    'font-without-fallback',
    withStyles(
      { fontFamily: 'Roboto' },
      text('<b style="font-family: Arial">A</b><b style="color:red">B</b>'),
      text('A', { 'font-family': 'Roboto' }),
      text('A', { 'font-family': `${'a'.repeat(100)}b` }),
      text('A', { 'font-family': 'serif, Times' }),
      text('A', { 'font-family': 'Times , serif ' }),
      text('A', { 'font-family': 'Times, ui-rounded' }),
      text('A', { 'font-family': 'a serif' }),
      text('A', { 'font-family': 'serif b' }),
    ),
    ['Roboto', 'a'.repeat(100), 'serif, Times', 'a serif', 'serif b', 'Arial'].map(
      (fonts) => `The list of fonts "${fonts}" does not end with a generic font.`,
    ),
  ],
  ...(
    [
      [button({}), undefined],
      [button({ height: '24px' }), undefined],
      [button({ height: '23px', 'inner-padding': '20px' }), 23],
      [button({ 'inner-padding': '1px 9px' }), 22],
      [button({ 'inner-padding': '2px 9px' }), undefined],
      [button({ 'inner-padding': '2px 9px 1px' }), 23],
      [button({ 'inner-padding': '2px 9px 1px 9px' }), 23],
      [button({ 'inner-padding': ' 0 ', 'font-size': '20px' }), undefined],
      [button({ 'inner-padding': '0', 'font-size': '19px' }), 23],
      [button({ 'inner-padding': '0', 'line-height': '23px' }), 23],
      [button({ 'inner-padding': '0', 'line-height': '1.4' }), 22],
      [button({ 'inner-padding': '0', 'line-height': '140%' }), 22],
      [button({ 'inner-padding': '0', 'line-height': '2' }), undefined],
      // Galley ignores these values, and draws the defaults.
      [button({ 'inner-padding': '0', 'line-height': 'normal' }), 20],
      [button({ 'inner-padding': '0', 'font-size': '1em' }), 20],
      [button({ 'inner-padding': '1em' }), undefined],
      [block('social', {}), undefined],
      [block('social', { 'icon-size': '15px' }), 23],
      [block('social', { 'icon-size': '16px' }), undefined],
      [block('social', { 'icon-size': '20px', 'inner-padding': '1px 9px' }), 22],
      [block('social', { 'icon-size': '1em' }), undefined],
      [block('text', { height: '9px' }), undefined],
    ] as const
  ).map(([each, height]): [RuleName, Document, string[]] => [
    'tap-target-small',
    emailOf(each),
    height === undefined ? [] : [`The links in this block are only ${height} pixels high.`],
  ]),

  // Colours. Large text needs a contrast of only 3. Text is large from 24px, or in bold from 18.66px.
  ...(
    [
      [
        { color: '#777' },
        'The contrast of #777777 on #ffffff is 4.4, but it should be at least 4.5.',
      ],
      [
        { color: '#959595', 'font-size': '24px' },
        'The contrast of #959595 on #ffffff is 2.9, but it should be at least 3.',
      ],
      [{ color: '#949494', 'font-size': '24px' }, undefined],
      [
        { color: '#949494', 'font-size': '23.9px' },
        'The contrast of #949494 on #ffffff is 3.0, but it should be at least 4.5.',
      ],
      [{ color: '#949494', 'font-size': '18.66px', 'font-weight': 'bold' }, undefined],
      [
        { color: '#949494', 'font-size': '18.65px', 'font-weight': 'bold' },
        'The contrast of #949494 on #ffffff is 3.0, but it should be at least 4.5.',
      ],
    ] as const
  ).map(([props, message]): [RuleName, Document, string[]] => [
    'contrast-low',
    emailOf(text('A', props)),
    message === undefined ? [] : [message],
  ]),
  [
    'contrast-low',
    emailOf(
      text('<b style="color:#eee">A</b><b style="color:#ddd">B</b><b style="color:#fff">C</b>'),
    ),
    ['The contrast of #ffffff on #ffffff is 1.0, but it should be at least 4.5.'],
  ],
  [
    'contrast-low',
    withStyles({ backgroundColor: '#000' }, link(SRC, 'A')),
    ['The contrast of #0b5cad on #000000 is 3.1, but it should be at least 4.5.'],
  ],
  ['contrast-low', withStyles({ backgroundColor: '#000', linkColor: '#fff' }, link(SRC, 'A')), []],
  ['contrast-low', withStyles({ backgroundColor: '#000', textColor: '#fff' }, link(SRC, 'A')), []],
  [
    'contrast-low',
    emailOf(text(`<a href="${SRC}" style="color:#fff">A</a>`)),
    ['The contrast of #ffffff on #ffffff is 1.0, but it should be at least 4.5.'],
  ],
  [
    'dark-mode-background',
    withStyles({ dark: { backgroundColor: '#101010' } }, text('A')),
    ['In dark mode, the contrast of #1f2933 on #101010 is 1.2, but it should be at least 4.5.'],
  ],
  [
    'dark-mode-background',
    emailOf({ ...text('A', { 'container-background-color': '#fff' }), dark: { color: '#eee' } }),
    ['In dark mode, the contrast of #eeeeee on #ffffff is 1.1, but it should be at least 4.5.'],
  ],

  // Merge tags.
  [
    'merge-tag-without-default',
    { title: '{{a}}', preheader: '{{a}}' },
    ['The merge tag {{a}} has no default.'],
  ],
  [
    'merge-tag-without-default',
    emailOf(text('{{a}} {{b}} {{a}}'), text('{{b}}'), button({ href: '{{c}}' })),
    ['2 merge tags have no default: {{a}}, {{b}}.', 'The merge tag {{c}} has no default.'],
  ],
  [
    'merge-tag-without-default',
    emailOf(text('{{a}}{{b}}{{c}}{{d}}{{e}}')),
    ['5 merge tags have no default: {{a}}, {{b}}, {{c}}, {{d}}, {{e}}.'],
  ],
  [
    'merge-tag-without-default',
    emailOf(text('{{a}}{{b}}{{c}}{{d}}{{e}}{{f}}')),
    ['6 merge tags have no default: {{a}}, {{b}}, {{c}}, {{d}}, {{e}} ….'],
  ],
  [
    'merge-tag-without-default',
    emailOf(
      text('{{a | upcase}}'),
      // Merge tags that are always known, have a default, or cannot be parsed.
      text('{{user.preferences}} {{shop_url}} {{#if a}} {{b | default: "c"}} {{d'),
      block('text', { content: '{{item.a}} {{items.a}}' }, { repeat: 'item in list' }),
      block('table', { rows: [{ cells: ['{{row}}'], repeat: 'row in list' }] }, { repeat: 'no' }),
    ),
    ['The merge tag {{a | upcase}} has no default.', 'The merge tag {{items.a}} has no default.'],
  ],
  [
    'merge-tag-without-default',
    emailOf(text('{{urls}}'), text('{{a.b_LINK}}')),
    ['The merge tag {{urls}} has no default.'],
  ],

  // Mail clients.
  [
    'image-format',
    emailOf(...times(3, image({ src: 'https://example.com/a.svg' }))),
    [
      expect.stringMatching(
        /^Pictures in the SVG format are not shown by .*\w\. There are 3 such places in the email\.$/,
      ),
    ],
  ],
])('%s in document %#', (name, document, messages) => {
  expect(messagesOf(name, document)).toEqual(messages);
});
