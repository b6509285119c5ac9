import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import sanitizeHtml from 'sanitize-html';
import { documentText } from '../document-text.js';
import { richText } from './rich-text.js';

const plainText = fc
  .array(
    fc.constantFrom(...'a|b| |  |\n|\r\n|\t|\f|\v|\u200b|\u00a0|>|"|\'|\0|\ud800|😀|-'.split('|')),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));

// Text without tags or entities skips sanitize-html and html-to-text. The empty element forces both libraries to parse
// it, so that the results can be compared.
it('text without tags or entities has the same result as if a library had parsed it', () => {
  const asText = (content: string) =>
    documentText(
      { stripes: [{ containers: [{ blocks: [{ type: 'text', props: { content } }] }] }] },
      (_node, text) => text,
    );
  fc.assert(
    fc.property(plainText, (text) => {
      expect(richText(text)).toBe(sanitizeHtml(`${text}<b></b>`, { allowedTags: [] }));
      const trimmed = text.trim();
      expect(asText(text)).toBe(asText(trimmed && `<i></i>${trimmed}`));
    }),
    { numRuns: 1_000 },
  );
});

it('200,000 short texts take less than a second', () => {
  const begun = performance.now();
  for (let count = 0; count < 200_000; count++) richText('a');
  expect(performance.now() - begun).toBeLessThan(1_000);
});

it.each(['<ul><li>', '<b>', '<blockquote>'])('%s may be nested at most 500 deep', (tags) => {
  const depth = tags.split('<').length - 1;
  expect(richText(tags.repeat(500 / depth))).toContain('</');
  expect(() => richText(tags.repeat(9_999))).toThrow(
    'it has a text with tags nested more than 500 deep.',
  );
});
