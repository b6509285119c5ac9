import { describe, expect, it } from '@jest/globals';
import { importDocument } from './convert.js';
import type { ImportFormat } from './formats.js';

const bodyWith = (blocks: string) =>
  `<mjml><mj-body><mj-section><mj-column>${blocks}</mj-column></mj-section></mj-body></mjml>`;
const textWith = (html: string) => bodyWith(`<mj-text>${html}</mj-text>`);
const containerOf = (...childrenIds: string[]) => ({
  type: 'Container',
  data: { props: { childrenIds } },
});
// As large as a body may be.
const SIZE = 1_000_000;

describe('a content that Galley cannot read has a reason', () => {
  it.each<[string, ImportFormat, unknown, string]>([
    ['no MJML', 'mjml', '', 'it does not begin with an mjml element.'],
    ['MJML without a body', 'mjml', '<mjml></mjml>', 'it has no mj-body element.'],
    ['MJML that is no text', 'mjml', {}, 'it must be a string.'],
    ['no HTML', 'html', 'Hello', 'it has no HTML elements.'],
    ['deep MJML', 'mjml', `<mjml>${'<mj-section>'.repeat(5_000)}`, 'nested more than 30 deep'],
    ['deep HTML', 'mjml', textWith('<b>'.repeat(SIZE / 3)), 'nested more than 500 deep'],
    ['too many elements', 'mjml', bodyWith('<mj-text/>'.repeat(20_000)), 'more than 10,000'],
    ['too many tags', 'html', '<br>'.repeat(SIZE / 4), 'more than 20,000 tags'],
    [
      'blocks that several lists name',
      'email-builder',
      Object.fromEntries([
        ['root', { type: 'EmailLayout', data: { childrenIds: ['c'] } }],
        [
          'c',
          { type: 'ColumnsContainer', data: { props: { columns: [{ childrenIds: ['b0'] }] } } },
        ],
        ...Array.from({ length: 40 }, (_, at) => [
          `b${at}`,
          containerOf(`b${at + 1}`, `b${at + 1}`),
        ]),
      ]),
      'names more than 10,000 blocks',
    ],
    [
      'blocks inside of blocks',
      'email-builder',
      Object.fromEntries([
        ['root', { type: 'EmailLayout', data: { childrenIds: ['b0'] } }],
        ...Array.from({ length: 9_000 }, (_, at) => [`b${at}`, containerOf(`b${at + 1}`)]),
      ]),
      'nested more than 50 deep',
    ],
    [
      'an element with too many attributes',
      'mjml',
      bodyWith(`<mj-spacer ${Array.from({ length: 300 }, (_, at) => `a${at}="1"`).join(' ')}/>`),
      'more than 200 attributes',
    ],
    ['deep JSON', 'unlayer', `${'{"a":'.repeat(99)}1${'}'.repeat(99)}`, 'nested more than 50 deep'],
  ])('%s', (_title, format, content, reason) => {
    expect(() => importDocument({ format, content })).toThrow(reason);
  });
});

describe('a hostile content takes no longer than a large one', () => {
  const style = (css: string, html: string) => `<style>${css}</style>${html}`;
  it.each<[string, ImportFormat, string]>([
    [
      'white space in a style',
      'mjml',
      textWith(`<a href="x" style="color:a${' '.repeat(SIZE)}b">a</a>`),
    ],
    [
      'names of classes',
      'mjml',
      bodyWith(`<mj-text mj-class="${'a '.repeat(SIZE / 4)}">a</mj-text>`),
    ],
    [
      'isolates around isolates',
      'mjml',
      `<mjml dir="rtl"><mj-body>${'\u2068'.repeat(SIZE / 8)}{{a}}${'\u2069'.repeat(SIZE / 8)}</mj-body></mjml>`,
    ],
    [
      'closing tags without an open one',
      'mjml',
      textWith('<b>'.repeat(400) + '</i>'.repeat(SIZE / 4)),
    ],
    ['sections', 'mjml', `<mjml><mj-body>${'<mj-section/>'.repeat(9_000)}</mj-body></mjml>`],
    ['rules', 'html', style('.a .b .c .d { color: red }'.repeat(9_000), '<i>a</i>'.repeat(9_000))],
    ['selectors', 'html', style(`${'a,'.repeat(SIZE / 4)}b{color:red}`, '<p>a</p>')],
    ['a selector', 'html', style(`${'a '.repeat(SIZE / 4)}{color:red}`, '<p>a</p>')],
    ['declarations', 'html', `<p style="${'color:red;'.repeat(SIZE / 10)}">a</p>`],
    [
      'a heading that does not end',
      'mjml',
      textWith(`<h1 style="margin:0;font-size:${'a'.repeat(SIZE)}`),
    ],
    [
      'a list that does not end',
      'mjml',
      textWith(`<ul style="margin:0;padding:0 0 0 24px">${'</ul'.repeat(SIZE / 4)}`),
    ],
    [
      'merge tags that do not end',
      'mjml',
      `<mjml dir="rtl"><mj-body>${'\u2068{{'.repeat(SIZE / 6)}</mj-body></mjml>`,
    ],
    [
      'an import that does not end',
      'html',
      style(`@import url(${'"'.repeat(SIZE / 2)}`, '<p>a</p>'),
    ],
    ['a long attribute', 'mjml', bodyWith(`<mj-text padding="${' '.repeat(SIZE)}x">a</mj-text>`)],
  ])('%s', (_title, format, content) => {
    const start = performance.now();
    importDocument({ format, content });
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});

it('the names of members of objects are names like others', () => {
  const content = `<mjml><mj-head><mj-attributes><mj-class name="__proto__" color="red" /><constructor padding="1px" /></mj-attributes></mj-head>
    <mj-body><mj-section mj-class="__proto__ constructor"><mj-column><constructor /></mj-column></mj-section></mj-body></mjml>`;
  const { report } = importDocument({ format: 'mjml', content });
  expect(report.entries.map(({ message }) => message)).toEqual([
    'constructor is lost: Galley does not know it here.',
  ]);
  expect(({} as Record<string, unknown>)['color']).toBeUndefined();
});

it('a report has at most 200 entries', () => {
  const content = bodyWith('<mj-chart />'.repeat(300));
  const { report } = importDocument({ format: 'mjml', content });
  expect([report.entries.length, report.omitted]).toEqual([200, 100]);
});

it('scripts, and links that run scripts, are not imported', () => {
  const content = `<p>Hello</p><script>alert(1)</script>`;
  const { document, report } = importDocument({ format: 'html', content });
  expect(JSON.stringify(document)).not.toContain('alert');
  expect(report.entries.map(({ message }) => message)).toContain('Galley removes scripts.');
  const mjml = bodyWith('<mj-button href="javascript:alert(1)" font-family="Arial">Go</mj-button>');
  const button = importDocument({ format: 'mjml', content: mjml });
  expect(JSON.stringify(button.document)).not.toContain('alert');
  expect(button.report.entries).toMatchObject([{ outcome: 'lost' }]);
});
