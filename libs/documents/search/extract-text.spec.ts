import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runInSlices } from '#time-slices';
import { JsonText } from '#json';
import { extractText } from './extract-text.js';

const textOf = async (document: unknown) =>
  runInSlices(extractText(new JsonText(JSON.stringify(document))));

it.each([
  [{ text: 'Welcome', type: 'heading', id: 'heading-1', moduleId: 'abc' }, 'Welcome'],
  [
    { content: '<p style="color: red">Fresh&nbsp;bread &amp; soup</p><br/>today' },
    'Fresh bread & soup today',
  ],
  [{ styles: { 'font-family': 'Georgia', padding: '0 auto' }, align: 'center' }, ''],
  [{ href: 'https://example.com', text: 'https://example.com/a b' }, 'https://example.com/a b'],
  [
    { a: '#F4F4F4', b: 'https://example.com/x', c: 'data:image/png;base64,AAAA', d: 'mailto:a@b' },
    '',
  ],
  [{ items: ['one', 'two', { title: 'three' }] }, 'one two three'],
  [{ text: 'a "quote" \\ and \n a line, \u00e9' }, 'a "quote" \\ and a line, é'],
  [{ text: '1 < 2 &#233; &#xe9; &#0; &bogus;' }, '1 < 2 é é'],
  [{ text: 'a\u0001b' }, 'a b'],
  [{ 'te\\"xt': 'x', '': 'y' }, 'x y'],
  [{ text: 'a\\', more: 'b' }, 'a\\ b'],
  [{ text: 'a\nb\tc/d' }, 'a b c/d'],
  [{ text: 'a&#x110000;b&#x10ffff;' }, 'a b\u{10ffff}'],
  [{ url: '//example.com/x', text: '//example.com/x', label: '// x' }, '// x'],
  // Only `grid` is hidden: every name that ends with `id` is hidden, but `type` must be the whole name.
  [
    { subtype: 'one', typed: 'two', idea: 'three', idsFor: 'four', grid: 'five' },
    'one two three four',
  ],
  [{ language: 'pt', text: 'one' }, 'one'],
  // The values of merge tags are not part of the email.
  [{ sampleData: { user: { name: 'Ada', at: ['x'] }, b: '}' }, text: 'one' }, 'one'],
  [{ sampleData: {}, text: 'one' }, 'one'],
  [{ text: 'one', translations: { pt: { text: { text: 'um', source: 'one' } } } }, 'one um'],
  [{ subject: 'one', fromName: 'two', preheader: 'three' }, 'one two three'],
  [{ fonts: [{ name: 'Inter' }, { name: 'Lato' }], text: 'one' }, 'one'],
  [{ text: 'one', sampleData: { user: 'Ada' } }, 'one'],
  ['only a string', 'only a string'],
  [[], ''],
])('the text of %j', async (document, text) => {
  expect(await textOf(document)).toBe(text);
});

it('the text has no lone surrogates and no NUL, and its length is limited', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json({ stringUnit: 'binary' }), async (json) => {
      const text = await runInSlices(extractText(new JsonText(json)));
      expect(text.isWellFormed() && !text.includes('\0')).toBe(true);
    }),
  );
  expect((await textOf({ text: 'x'.repeat(1_000_000) })).length).toBeLessThan(40_000);
  const many = Array.from({ length: 100_000 }, () => 'word');
  expect((await textOf(many)).length).toBeLessThanOrEqual(16_384);
});

it('decodes all JSON escape sequences', async () => {
  const json = String.raw`{ "text": "caf\u00e9 \uD83C\uDF72\u0000\/ \"soup\"" }`;
  expect(await runInSlices(extractText(new JsonText(json)))).toBe('café 🍲 / "soup"');
});

it('yields every hundred strings, about every 0.1 ms', () => {
  const json = JSON.stringify(Array.from({ length: 1_000 }, () => 'word'));
  expect(Array.from(extractText(new JsonText(json)))).toHaveLength(10);
});
