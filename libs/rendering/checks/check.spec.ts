import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import check from './check.js';

// Set CHECK_RUNS=10000 for a longer test, which takes about a minute.
const RUNS = Number(process.env['CHECK_RUNS'] ?? 300);
// The deadline is ten seconds, but the tests share the CPU.
const TIMEOUT_MS = 30_000;

const block = (type: string, props: object) => ({ type, props });
const text = (content: string) => block('text', { content });
const documentOf = (...blocks: object[]) => ({ stripes: [{ containers: [{ blocks }] }] });
const times = <Value>(count: number, value: Value) => Array<Value>(count).fill(value);

async function resultOf(document: unknown) {
  const result = await check({
    content: JSON.stringify(document),
    title: 'Email',
    levels: {},
    latestVersions: {},
  });
  if (!('findings' in result)) throw new Error(Object.values(result)[0]);
  return result;
}

const namesOf = (names: string) => fc.constantFrom(...names.split(' '));
const fragment = namesOf(
  '<a> <a href="#"> </a> <b> <img> <h1> </h1> <p style="color:red;font-size:1px"> http:// https://a.b {{ }} | : # , . px rgba( #fff 0 -1 % A B __proto__ constructor ',
);
const words = fc.array(fragment, { maxLength: 6 }).map((parts) => parts.join(''));
const value = fc.oneof(words, words, fc.jsonValue({ maxDepth: 2 }));
const members = namesOf(
  'content href src alt color background-color background-url width height font-family font-size font-weight line-height ' +
    'inner-padding icon-size items rows header elements links level base-url poster name id $module __proto__',
);
const types = namesOf(
  'text heading list html raw image divider spacer button video table accordion social menu navbar column toString',
);
const props = fc.oneof(value, fc.dictionary(members, value, { maxKeys: 6 }));
const node = fc.record(
  { id: value, type: fc.oneof(types, value), props, $module: value, blocks: value },
  { requiredKeys: ['type', 'props'] },
);
const container = fc.oneof(
  value,
  fc.record({ styles: props, blocks: fc.oneof(value, fc.array(node, { maxLength: 4 })) }),
);
const stripe = fc.oneof(
  value,
  fc.record({ styles: props, containers: fc.oneof(value, fc.array(container, { maxLength: 3 })) }),
);
const document = fc.record({
  language: value,
  title: value,
  preheader: value,
  styles: fc.oneof(value, fc.record({ backgroundColor: value, fontFamily: value })),
  stripes: fc.array(stripe, { maxLength: 3 }),
});

it('values of any type in any place cause no exception', async () => {
  await fc.assert(
    fc.asyncProperty(document, async (content) => {
      const { findings } = await resultOf(content);
      for (const { path, message, help } of findings) {
        expect(path === '' || path.startsWith('/')).toBe(true);
        expect([message, help].every((sentence) => sentence.endsWith('.'))).toBe(true);
      }
    }),
    { numRuns: RUNS },
  );
});

describe('is checked before the deadline:', () => {
  it.each<[string, object]>([
    ['ten thousand blocks', documentOf(...times(9_990, block('image', { src: 'http://a' })))],
    ['many nested links', documentOf(text(`${'<a href="#">'.repeat(19_000)}A`))],
    ['many nested headings', documentOf(text(`${'<h1>'.repeat(19_000)}A`))],
    ['many paragraphs', documentOf(text('<p>A'.repeat(19_000)))],
    ['many styles', documentOf(text('<b style="color:red">A</b>'.repeat(9_900)))],
    ['a table of many cells', documentOf(block('table', { rows: times(30_000, ['<i>A</i>']) }))],
    ['a text without spaces', documentOf(text('A'.repeat(1_000_000)))],
    ['a text of opening braces', documentOf(text('{'.repeat(1_000_000)))],
    ['a text of merge tags', documentOf(text('{{a}}'.repeat(9_000)))],
    ['a text of spaces', documentOf(text(`a${' '.repeat(500_000)}b${'\n'.repeat(500_000)}`))],
    ['a text of `<` and `&`', documentOf(text('<'.repeat(19_000) + '&'.repeat(200_000)))],
    ['a long link text', documentOf(text(`<a href="https://a">${'a.'.repeat(400_000)}</a>`))],
    ['a long alternative text', documentOf(block('image', { alt: 'IMG '.repeat(200_000) }))],
    ['a long URL', documentOf(text(`<a href="https://${'a.'.repeat(400_000)}">a.example</a>`))],
  ])(
    '%s',
    async (_title, content) => {
      expect((await resultOf(content)).findings.length).toBeLessThanOrEqual(200);
    },
    TIMEOUT_MS,
  );
});

it('errors come first, and all findings are counted', async () => {
  const { findings, counts } = await resultOf(
    documentOf(
      ...times(150, block('image', { src: 'https://example.com/a.png' })),
      ...times(120, block('button', { content: 'Offers' })),
    ),
  );
  expect(findings).toHaveLength(200);
  // There are 120 buttons without a link, and the HTML is too large.
  expect(counts.error).toBe(121);
  expect(findings.slice(0, 121).every(({ severity }) => severity === 'error')).toBe(true);
  expect(findings[121]?.severity).toBe('warning');
  expect(counts.warning).toBeGreaterThanOrEqual(150);
});

describe('the rendered email', () => {
  const rulesOf = async (...blocks: object[]) => {
    const { findings } = await resultOf(documentOf(...blocks));
    return findings.map(({ rule }) => rule);
  };

  it('is reported if it is too large or nearly too large', async () => {
    const sizeOf = async (count: number) =>
      (await rulesOf(text('word '.repeat(count)))).filter((rule) => rule.startsWith('html-'));
    expect(await sizeOf(14_000)).toEqual([]);
    expect(await sizeOf(17_000)).toEqual(['html-large']);
    expect(await sizeOf(21_000)).toEqual(['html-clipped']);
  });

  it('has findings for unknown types and properties, but not for empty ones', async () => {
    expect(await rulesOf(block('poll', {}))).toContain('not-drawn');
    expect(await rulesOf(block('text', { content: 'One', glow: 'much' }))).toContain('not-drawn');
    expect(await rulesOf(block('text', { content: 'One', color: '' }))).not.toContain('not-drawn');
  });
});

it('a finding names its node', async () => {
  const { findings } = await resultOf(
    documentOf({ id: 'b1', ...block('button', { content: 'A' }) }),
  );
  expect(findings[0]).toEqual({
    rule: 'link-empty',
    severity: 'error',
    nodeId: 'b1',
    path: '/stripes/0/containers/0/blocks/0',
    message: 'The link leads nowhere.',
    help: 'Set `href` to a URL that begins with https://.',
  });
});

it('equal mistakes in one text are reported once', async () => {
  const { counts } = await resultOf(documentOf(text('<a href="#">One</a> <a href="#">Two</a>')));
  expect(counts.error).toBe(1);
});

it.each(globSync('apps/settings/samples/*.json'))('%s has no errors', async (path) => {
  const { content } = JSON.parse(readFileSync(path, 'utf8')) as { content: object };
  const { findings } = await resultOf(content);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});
