import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import mjmlCore from 'mjml-core';
import presetCore from 'mjml-preset-core';
import compile from './drawing/compile.js';
import { fullPreset } from './drawing/index.js';
import { Personalisation } from './personalisation/index.js';

// cspell:ignore avascript colon
// Set RENDER_RUNS=10000 for a longer test, which takes about a minute.
const RUNS = Number(process.env['RENDER_RUNS'] ?? 300);
type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

// Vertical bars separate the fragments.
const FRAGMENTS = `"|'|<|>|&|\`|=|;|:|/|\\|(|)| |
|	|-->|--!>|<!--|<![endif]-->|]]>|<![CDATA[|</td>|</style>|</title>|{{|}}|\u200b|<script>|</script>
|<img src=x onerror=alert(1)>|<svg onload=alert(1)>| onclick=alert(1) |<iframe>|<form>
|javascript:|java
script:|JaVaScRiPt:|&#106;avascript:|javascript&colon;|vbscript:|data:text/html,
|url(javascript:alert(1))|image-set("x" 1x)|rgb(1,2,3)|expression(alert(1))|<a href="javascript:alert(1)">
|<p style="background:url(x)">|<mj-include path="/etc/passwd">|alert(1)|Hello|#fff|10px
|https://example.com/|constructor|__proto__|\r\n|\ue000|\ue001|{{a}}|{{a | default: "b"}}|{{x.b}}|{{b | upcase}}|{{a}}:alert(1)|<a href="{{a}}:alert(1)">`.split(
  '|',
);
const attack = fc.constantFrom(...FRAGMENTS);
const text = fc.array(attack, { maxLength: 5 }).map((parts) => parts.join(''));
const namesOf = (names: string) => fc.constantFrom(...names.split(' '));
const names = namesOf(
  'content href src alt title color background-color background-url width font-family padding border ' +
    'align name target rel base-url poster level css-class mj-class items rows header icon-size ' +
    'text-decoration srcset play-button elements icon-wrapped-url icon-unwrapped-url icon-wrapped-alt',
);
const value = fc.oneof(text, text, fc.array(text, { maxLength: 2 }), fc.integer(), fc.boolean());
const props = fc.dictionary(names, value, { maxKeys: 5 });
const types = namesOf(
  'text heading list html raw image divider spacer button video table accordion social menu navbar column toString',
);
const listProps = fc.record({
  elements: fc.array(props, { maxLength: 2 }),
  links: fc.array(props, { maxLength: 2 }),
  rows: fc.array(fc.array(text, { maxLength: 2 }), { maxLength: 2 }),
});
const dynamic = {
  condition: fc.constantFrom('', '', 'a', 'not a', 'x.b'),
  repeat: fc.constantFrom('', '', 'x in list', 'x in none'),
  visibility: fc.constantFrom('mobile', 'desktop', '"><script>'),
  mobile: fc.oneof(props, text, fc.record({ stack: fc.boolean(), reverse: fc.boolean() })),
  dark: fc.oneof(props, text),
  hover: fc.oneof(props, text),
};
const block = fc.record({
  ...dynamic,
  id: text,
  type: fc.oneof({ weight: 9, arbitrary: types }, text),
  props: fc.tuple(props, listProps).map(([own, lists]) => ({ ...lists, ...own })),
});
const container = fc.record({
  ...dynamic,
  styles: props,
  blocks: fc.array(block, { maxLength: 4 }),
});
const containers = fc.array(container, { maxLength: 3 });
const structure = fc.record({ ...dynamic, styles: props, containers });
const section: fc.Arbitrary<object> = fc.oneof(
  fc.record({ ...dynamic, styles: props, containers }),
  fc.record({ ...dynamic, styles: props, structures: fc.array(structure, { maxLength: 2 }) }),
  fc.record({
    ...dynamic,
    type: fc.constant('hero'),
    styles: props,
    blocks: fc.array(block, { maxLength: 2 }),
  }),
  fc.record({
    ...dynamic,
    type: fc.constant('wrapper'),
    styles: props,
    stripes: fc.array(fc.record({ styles: props, containers }), { maxLength: 2 }),
  }),
);
const font = fc.record({
  name: fc.oneof(text, fc.constant('Inter')),
  url: fc.oneof(text, fc.constant('https://example.com/a.woff2')),
  format: fc.constantFrom('css', 'woff2', undefined),
  weight: fc.oneof(fc.constant(400), text),
  style: fc.oneof(fc.constant('italic'), text),
  fallback: fc.oneof(fc.constant('Arial'), text),
});
const document = fc.record({
  language: text,
  direction: text,
  title: text,
  preheader: text,
  styles: fc.record({
    contentWidth: fc.double(),
    backgroundColor: text,
    fontFamily: text,
    mobile: fc.dictionary(namesOf('stripe text button image'), props, { maxKeys: 2 }),
    dark: fc.oneof(
      fc.dictionary(namesOf('stripe text button image'), props, { maxKeys: 2 }),
      fc.record({ backgroundColor: text, textColor: text, linkColor: text }),
    ),
  }),
  fonts: fc.array(font, { maxLength: 2 }),
  subject: value,
  fromName: value,
  stripes: fc.array(section, { maxLength: 3 }),
});

const FORBIDDEN = ['script', 'iframe', 'object', 'embed', 'form', 'svg', 'math', 'base', 'video'];
const PROTOCOLS = ['http:', 'https:', 'mailto:', 'tel:', 'sms:'];

/** The elements of a page, including those in conditional comments, which only Outlook sees. */
function* elementsIn(nodes: readonly Node[]): Generator<Element> {
  for (const node of nodes) {
    if (node.nodeName === '#comment' && 'data' in node) {
      const condition = /^\[if [^\]]*\]>([^]*)<!\[endif\]$/.exec(node.data);
      if (condition) yield* elementsIn(parse(condition[1] ?? '').childNodes);
    }
    if ('tagName' in node) yield node;
    if ('childNodes' in node) yield* elementsIn(node.childNodes);
  }
}

function problemsIn(html: string): string[] {
  const problems: string[] = [];
  for (const { tagName, attrs } of elementsIn(parse(html).childNodes)) {
    // Accordions and menus open by a checkbox, which has no name and sends nothing.
    const isField = tagName === 'input' && attrs.some(({ name }) => name === 'name');
    if (isField || FORBIDDEN.includes(tagName)) problems.push(`<${tagName}>`);
    for (const { name, value: text } of attrs) {
      if (name.startsWith('on')) problems.push(`${tagName} ${name}`);
      if (['href', 'src', 'background', 'action'].includes(name) && !isSafe(text)) {
        problems.push(`${tagName} ${name}=${text}`);
      }
      if (name === 'style' && !isSafeStyle(text)) problems.push(text);
    }
  }
  return problems;
}

/** Only a quoted URL in a style may contain arbitrary text. */
function isSafeStyle(style: string): boolean {
  const withoutUrls = style.replace(/url\('([^'"()\\\s]*)'\)/g, (match, url: string) =>
    isSafe(url) ? '' : match,
  );
  return !/javascript|expression\s*\(|(?:url|image-set)\s*\(/i.test(withoutUrls);
}

function isSafe(url: string): boolean {
  try {
    return PROTOCOLS.includes(new URL(url, 'https://example.com').protocol);
  } catch {
    return true;
  }
}

/** The style sheets of a page contain no markup, and load nothing but fonts. */
const unsafeStyleSheetsIn = (html: string): string[] =>
  Array.from(html.matchAll(/<style[^>]*>([^]*?)<\/style>/gi), ([, css = '']) =>
    css.replace(/src:url\(https?:[^\s'"()<>]*\) format/g, ''),
  ).filter((css) => /[<]|javascript|expression\s*\(|url\s*\(|@import/i.test(css));

/** The elements of a page with the names of their attributes. */
const skeletonOf = (html: string): string[] =>
  Array.from(elementsIn(parse(html).childNodes), ({ tagName, attrs }) =>
    [tagName].concat(attrs.map(({ name }) => name)).join(' '),
  );

it('no value of a document or of data becomes markup, an attribute or a URL that runs a script', async () => {
  const hostile = fc.record({ a: text, b: text });
  await fc.assert(
    fc.asyncProperty(document, hostile, async (content, { a, b }) => {
      const source = {
        content: JSON.stringify(content),
        title: '',
        format: 'all',
        publicUrl: 'https://galley.example',
      } as const;
      const compiled = await compile(source);
      const { html: program, mjml } = 'programs' in compiled ? compiled.programs : {};
      if (program === undefined || mjml === undefined) return;
      const htmlFor = (one: string, other: string) =>
        new Personalisation({ a: one, b: other, list: [{ b: one }, { b: other }] }, 'en').fill(
          program,
        );
      const html = htmlFor(`${a}.`, `${b}.`);
      expect(html).not.toMatch(/\ue000[\da-f]{16}/);
      expect(problemsIn(html)).toEqual([]);
      expect(unsafeStyleSheetsIn(html)).toEqual([]);
      expect(problemsIn(new Personalisation(undefined, 'en').fill(program))).toEqual([]);
      // MJML throws an error for an invalid attribute or element.
      await mjmlCore.default(new Personalisation(undefined, 'en').fill(mjml), {
        presets: [presetCore, fullPreset],
        validationLevel: 'strict',
        fonts: {},
      });
      // A value may also complete the scheme of a URL.
      expect(problemsIn(htmlFor('javascript', 'data'))).toEqual([]);
      expect(skeletonOf(html)).toEqual(skeletonOf(htmlFor('Ada', 'Bob')));
    }),
    { numRuns: RUNS },
  );
});

it('the checks of this test find an attack', () => {
  const html = `<p onclick=x style="width:expression(1)"><a href="java\nscript:x">
    <!--[if mso]><script></script><![endif]--><svg></svg>`;
  expect(problemsIn(html)).toHaveLength(5);
  expect(unsafeStyleSheetsIn('<style>p{background:url(https://x)}</style>')).toHaveLength(1);
});
