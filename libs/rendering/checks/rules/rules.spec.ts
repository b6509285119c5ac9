import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readEmail } from '../email/email.js';
import { findIn } from '../findings.js';
import { ruleDescriptions, ruleNames, rules, type RuleName } from '../rules.js';
import type { translationRules } from './translations.js';
import type { variableRules } from './variables.js';

// cspell:ignore Abmelden
type Document = Record<string, unknown>;
const SRC = 'https://example.com/a.png';
const SENTENCE = 'Your account is ready, and these three steps bring you to your first email.';
const block = (type: string, props: object) => ({ type, props });
const text = (content: string, props: object = {}) => block('text', { content, ...props });
const link = (href: string, label = 'Our summer offers') => text(`<a href="${href}">${label}</a>`);
const heading = (level: number) => block('heading', { content: 'News', level });
const image = (props: object) =>
  block('image', { src: SRC, alt: 'A lake', width: '300px', ...props });
const button = (props: object) =>
  block('button', { content: 'See the offers', href: 'https://example.com/', ...props });
const html = (content: string) => block('html', { content });
const moduleOf = (mark: object) => ({
  ...text('One'),
  $module: { id: 'm', name: 'Footer', ...mark },
});
const times = <Value>(count: number, value: Value) => Array<Value>(count).fill(value);

const whole = {
  language: 'en',
  title: 'Welcome',
  subject: 'Welcome aboard',
  preheader: 'Three steps to your first email',
  styles: { backgroundColor: '#ffffff', fontFamily: 'Arial, sans-serif' },
};
const goodBlocks = [
  heading(1),
  text(SENTENCE),
  link('https://example.com/unsubscribe', 'Unsubscribe'),
];
const stripeOf = (blocks: object[], styles: object = {}) => ({ styles, containers: [{ blocks }] });

/** A document without findings, plus the given blocks. */
const plus = (...blocks: object[]) => ({
  ...whole,
  stripes: [stripeOf([...goodBlocks, ...blocks])],
});
/** A document without findings, with some of its members replaced. */
const but = (members: object) => ({ ...plus(), ...members });
const onStripe = (styles: object, ...blocks: object[]) => ({
  ...whole,
  stripes: [stripeOf(goodBlocks), stripeOf(blocks, styles)],
});
/** A document that contains only these blocks. */
const only = (...blocks: object[]) => ({ ...whole, stripes: [stripeOf(blocks)] });

/** The rules that have findings in a document. */
function rulesOf(document: Document): RuleName[] {
  const email = readEmail(document, { html: '', warnings: [], latestVersions: { m: 3 } });
  return findIn(email, rules, {}).findings.map(({ rule }) => rule);
}

// The languages of a document are counted before its texts are replaced.
type RuleOfTranslations = (typeof translationRules)[number]['name'];
/** The rules that inspect the rendered email. `known.spec.ts` and `check.spec.ts` test these rules. */
type RuleOfHtml = 'html-clipped' | 'html-large' | 'not-drawn';
type RuleOfVariables = (typeof variableRules)[number]['name'];

/** For each rule, documents with a finding, and similar documents without a finding. */
const cases: Record<
  Exclude<RuleName, RuleOfHtml | RuleOfVariables | RuleOfTranslations>,
  { found: Document[]; nearly: Document[] }
> = {
  'language-missing': {
    found: [but({ language: undefined }), but({ language: 'English language' })],
    nearly: [
      but({ language: 'pt-BR' }),
      but({ language: 'zh-Hans-CN' }),
      but({ language: '{{language}}' }),
    ],
  },
  'title-missing': { found: [but({ title: ' ' })], nearly: [but({ title: 'A' })] },
  'subject-missing': { found: [but({ subject: ' ' })], nearly: [but({ subject: '{{topic}}' })] },
  'subject-long': {
    found: [but({ subject: 'a'.repeat(71) })],
    nearly: [but({ subject: `${'a'.repeat(70)}{{name}}` })],
  },
  'subject-emoji': {
    found: [but({ subject: '🎉 Sale ❤️' })],
    nearly: [but({ subject: '🎉 Sale, 2 for 1 ©' })],
  },
  'preheader-missing': { found: [but({ preheader: '' })], nearly: [but({ preheader: 'A' })] },
  'preheader-long': {
    found: [but({ preheader: 'a'.repeat(151) })],
    nearly: [but({ preheader: 'a'.repeat(150) })],
  },
  'heading-missing': {
    found: [only(text(SENTENCE)), only(text(SENTENCE), block('heading', { content: ' ' }))],
    nearly: [only(text(`<h1>News</h1>${SENTENCE}`))],
  },
  'heading-level-skipped': {
    found: [plus(heading(3)), plus(text('<h2>A</h2><h4>B</h4>'))],
    nearly: [plus(heading(2), heading(3), heading(2)), only(heading(3))],
  },
  'heading-repeated': { found: [plus(heading(1))], nearly: [plus(heading(2), heading(2))] },
  'id-duplicate': {
    found: [plus({ id: 'a', ...text('One') }, { id: 'a', ...text('Two') })],
    nearly: [
      plus({ id: 'a', ...text('One') }, { id: 'b', ...text('Two') }),
      // The same module is used twice.
      plus(...times(2, { id: 'a', ...text('One'), $module: { id: 'm', version: 1 } })),
      {
        ...whole,
        stripes: times(2, {
          ...stripeOf([{ id: 'a', ...text('One') }]),
          $module: { id: 'm', version: 1 },
        }),
      },
    ],
  },
  'module-missing': {
    found: [plus({ $module: { id: 'm', problem: 'not_found' } })],
    nearly: [plus({ ...text('One'), $module: { id: 'm', version: 1 } })],
  },
  'module-outdated': {
    found: [plus(moduleOf({ version: 2, pinned: true }))],
    nearly: [
      plus(moduleOf({ version: 3, pinned: true })),
      plus(moduleOf({ version: 2, pinned: false })),
      plus(moduleOf({ id: 'n', version: 2, pinned: true })),
    ],
  },
  'alt-missing': {
    found: [plus(image({ alt: undefined })), plus(html(`<img src="${SRC}" width="9">`))],
    nearly: [plus(image({ alt: '' })), plus(html(`<img src="${SRC}" width="9" alt="">`))],
  },
  'alt-file-name': {
    found: [plus(image({ alt: 'summer_2 (1).JPG' })), plus(image({ alt: 'IMG_1234' }))],
    nearly: [
      plus(image({ alt: 'The end of summer.' })),
      plus(image({ alt: 'Image 1 of the lake' })),
    ],
  },
  'alt-redundant': {
    found: [plus(image({ alt: 'A picture of a lake' })), plus(image({ alt: 'Image' }))],
    nearly: [plus(image({ alt: 'Picture frames' })), plus(image({ alt: 'A lake in a picture' }))],
  },
  'image-source-missing': {
    found: [plus(image({ src: '' })), plus(block('video', { src: 'https://example.com/' }))],
    nearly: [plus(image({ src: '{{user.avatar}}' }))],
  },
  'image-address': {
    found: [plus(image({ src: '/a.png' })), plus(image({ src: 'example.com/a.png' }))],
    nearly: [
      plus(image({ src: '{{user.avatar}}/a.png' })),
      plus(image({ src: 'HTTPS://example.com/a.png' })),
    ],
  },
  'image-insecure': {
    found: [plus(image({ src: 'http://example.com/a.png' }))],
    nearly: [plus(image({ src: SRC }))],
  },
  'image-without-width': {
    found: [plus(html(`<img src="${SRC}" alt="">`))],
    nearly: [
      plus(html(`<img src="${SRC}" alt="" style="width:90px">`)),
      plus(image({ width: '' })),
    ],
  },
  'image-without-size': {
    found: [plus(image({ width: undefined })), plus(image({ width: '', height: 'auto' }))],
    nearly: [plus(image({ height: '90px', width: undefined })), plus(image({}))],
  },
  'images-without-text': {
    found: [only(heading(1), image({}))],
    nearly: [plus(image({})), only(heading(1))],
  },
  'images-many': {
    found: [plus(...times(4, image({}))), plus(text(SENTENCE.repeat(20)), ...times(41, image({})))],
    nearly: [
      plus(...times(2, image({}))),
      plus(text(SENTENCE.repeat(20)), ...times(40, image({}))),
    ],
  },
  'link-empty': {
    found: [plus(link('#')), plus(button({ href: undefined })), plus(link('javascript:alert(1)'))],
    nearly: [plus(link('#top')), plus(link('{{shop}}')), plus(text('<a name="top"></a>Top'))],
  },
  'link-address': {
    found: [
      plus(link('/shop')),
      plus(button({ href: 'example.com' })),
      plus(link('//example.com')),
    ],
    nearly: [
      plus(link('mailto:ada@example.com')),
      plus(link('{{shop}}/summer')),
      plus(link('[[SHOP]]')),
      plus(link('#top')),
    ],
  },
  'link-insecure': {
    found: [plus(link('http://example.com/')), plus(link('http://{{host}}/'))],
    nearly: [plus(link('https://example.com/?to=http://example.org'))],
  },
  'link-mismatch': {
    found: [
      plus(link('https://evil.example/', 'https://www.example.com/login')),
      plus(link('https://example.com.evil.example/', 'example.com')),
    ],
    nearly: [
      plus(link('https://click.example.com/?a=1', 'www.example.com')),
      plus(link('https://nodejs.org/', 'Node.js')),
      plus(link('https://example.com/summer', 'summer.ics')),
      plus(link('{{shop}}', 'example.com')),
      plus(link('mailto:ada@example.com', 'ada@example.com')),
    ],
  },
  'link-vague': {
    found: [
      plus(link('https://example.com/', 'Click here!')),
      plus(button({ content: 'Read <b>more</b> →' })),
    ],
    nearly: [plus(link('https://example.com/', 'Read more about the lake'))],
  },
  'link-without-text': {
    found: [
      plus(link('https://example.com/', ' ')),
      plus(image({ alt: '', href: 'https://example.com/' })),
      plus(html(`<a href="https://example.com/"><img src="${SRC}" width="9" alt=""></a>`)),
    ],
    nearly: [
      plus(image({ alt: '' })),
      plus(html(`<a href="https://example.com/"><img src="${SRC}" width="9" alt="Shop"></a>`)),
    ],
  },
  'unsubscribe-missing': {
    found: [only(heading(1), text(SENTENCE), text('Unsubscribe by a letter.'))],
    nearly: [
      only(heading(1), text(SENTENCE), link('https://example.com/', 'Abmelden')),
      only(heading(1), text(SENTENCE), link('{{unsubscribe_url}}')),
    ],
  },
  'text-empty': {
    found: [plus(text(' <p>&nbsp;</p>')), plus(button({ content: '' })), plus(block('list', {}))],
    nearly: [plus(text('{{name | default: "you"}}')), plus(html('')), plus(block('spacer', {}))],
  },
  'text-small': {
    found: [
      plus(text('One', { 'font-size': '11px' })),
      plus(text('<span style="font-size:9px">A</span>')),
    ],
    nearly: [
      plus(text('One', { 'font-size': '12px' })),
      plus(text('<span style="font-size:12px">A</span>', { 'font-size': '9px' })),
      // Text of this size is a hidden preheader.
      plus(text('Our offers', { 'font-size': '1px' })),
    ],
  },
  'text-capitals': {
    found: [plus(text('SUMMER OFFERS FOR ALL OF YOU'))],
    nearly: [
      plus(text('SUMMER OFFERS FOR ALL OF you')),
      plus(text('USB, HTML AND SSL')),
      plus(text('字'.repeat(30))),
      plus(text('{{USER.SURNAME}} {{USER.NAME}} {{USER.ADDRESS}}')),
    ],
  },
  'paragraph-long': {
    found: [plus(text('Word '.repeat(161)))],
    nearly: [plus(text(`<p>${'Word '.repeat(150)}</p>`.repeat(3)))],
  },
  'markup-removed': {
    found: [plus(html('<form><input></form>Hello')), plus(text('<script>alert(1)</script>Hello'))],
    nearly: [
      plus(html('<table><tr><td>Cell</td></tr></table>')),
      plus(text('1 <2, and a < b')),
      plus(text('{{a | default: "<b1>"}}')),
    ],
  },
  'font-without-fallback': {
    found: [
      plus(text('One', { 'font-family': 'Roboto' })),
      but({ styles: { ...whole.styles, fontFamily: 'Arial, Roboto' } }),
    ],
    nearly: [plus(text('One', { 'font-family': 'Roboto, Sans-Serif' }))],
  },
  'tap-target-small': {
    found: [
      plus(button({ 'inner-padding': '1px' })),
      plus(button({ height: '20px' })),
      plus(block('social', { 'icon-size': '20px', 'inner-padding': '0', elements: [] })),
    ],
    nearly: [
      plus(button({ 'inner-padding': '5px 0' })),
      plus(button({ 'inner-padding': '1px', 'line-height': '24px' })),
      plus(block('social', { elements: [] })),
    ],
  },
  'contrast-low': {
    found: [
      plus(text('One', { color: '#777' })),
      plus(text('<span style="color:#eee">One</span>')),
      plus(button({ 'background-color': 'yellow' })),
      onStripe({ 'background-color': '#000000' }, text('One', { color: '#333333' })),
      plus(text('One', { 'container-background-color': 'rgb(0, 0, 0)' })),
    ],
    nearly: [
      plus(text('One', { color: '#767676' })),
      // Large text needs less contrast.
      plus(block('heading', { content: 'A', level: 2, color: '#949494' })),
      plus(text('<font size="7" color="#949494">One</font>')),
      plus(text('One', { color: '#fff', 'font-size': '1px' })),
      onStripe({ 'background-url': SRC }, text('One', { color: '#fff' })),
      onStripe({ 'background-color': 'rgba(0,0,0,0.9)' }, text('One', { color: '#fff' })),
      plus(text('One', { color: 'papayawhip' })),
    ],
  },
  'dark-mode-background': {
    found: [
      { ...plus(text('One')), styles: { dark: { backgroundColor: '#000000' } } },
      { ...plus(text('One')), styles: { dark: { textColor: '#ffffff' } } },
      plus({ ...text('One'), dark: { color: '#eeeeee' } }),
    ],
    nearly: [
      plus(text('One', { color: '#000000' })),
      {
        ...plus(text('One')),
        styles: { dark: { backgroundColor: '#000000', textColor: '#ffffff' } },
      },
      {
        ...whole,
        stripes: [stripeOf(goodBlocks, { 'background-color': '#fff' })],
        styles: { dark: { textColor: '#ffffff' } },
      },
    ],
  },
  'image-format': {
    found: [plus(image({ src: 'https://example.com/a.SVG?b=1' }))],
    nearly: [
      plus(image({ src: 'https://example.com/a.svg.png' })),
      plus(image({ src: `${SRC}?b=.svg` })),
    ],
  },
  'style-unsupported': {
    found: [
      plus(image({ 'border-radius': '9px' })),
      plus(text('<span style="color:rgba(0,0,0,0.9)">One</span>')),
      plus(link('#top')),
    ],
    nearly: [
      plus(image({ 'border-radius': '0px' })),
      plus(text('Colours such as rgba(0,0,0,0.9)')),
    ],
  },
  'merge-tag-without-default': {
    found: [plus(text('Hello {{user.name}}')), but({ preheader: '{{ city }}' })],
    nearly: [
      plus(text('Hello {{ user.name | default: "you" }}')),
      plus(link('{{unsubscribe_url}}')),
      plus({ ...text('{{line.name}}'), repeat: 'line in lines' }),
    ],
  },
};

it('a document without mistakes has no findings', () => {
  expect(rulesOf(plus())).toEqual([]);
});

describe.each(Object.entries(cases))('%s', (name, { found, nearly }) => {
  it.each(found)('is found in document %#', (document) => {
    expect(rulesOf(document)).toContain(name);
  });

  it.each(nearly)('is not found in document %#', (document) => {
    expect(rulesOf(document)).not.toContain(name);
  });
});

it('docs/use/checking.md describes all rules', () => {
  const page = readFileSync('docs/use/checking.md', 'utf8');
  const rows = Array.from(page.matchAll(/^\| `([a-z-]+)` +\| (error|warning|info) /gm));
  expect(rows.map(([, name, severity]) => [name, severity]).sort()).toEqual(
    rules.map(({ name, severity }) => [name, severity]).sort(),
  );
  expect(ruleDescriptions.map(({ name, severity }) => [name, severity])).toEqual(
    rules.map(({ name, severity }) => [name, severity]),
  );
  expect(new Set(ruleNames).size).toBe(rules.length);
});
