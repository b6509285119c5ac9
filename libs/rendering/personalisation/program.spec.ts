import { expect, it } from '@jest/globals';
import { parseMergeTag } from './expressions.js';
import { Placeholders } from './placeholders.js';
import { htmlProgram, tagsInUrls, textProgram } from './program.js';

const placeholders = new Placeholders();
const node = {};
placeholders.addNode(node, { condition: { operand: { path: ['a'] } } });
const marks = placeholders.marksOf(node) ?? { begin: '', end: '' };
const tags = Array.from({ length: 7 }, (_, number) =>
  placeholders.addTag(parseMergeTag(`a${number}`)),
);

it('the tags inside URLs are found', () => {
  const [text, title, url, part, contact, style, other] = tags;
  const html = `<p title="${title}">${text}</p><a href="${url}/${part}">${marks.begin}A${marks.end}</a>
<a href="mailto:${contact}">B</a><a href="${marks.begin}${other}"></a><style>${style}</style>`;
  expect([...tagsInUrls(html, placeholders)].sort()).toEqual([2, 3, 4, 6]);
});

it('only the elements around marks are removed from MJML', () => {
  const mjml = `<mj-column>\n  <mj-raw>${marks.begin}</mj-raw>\n<mj-raw>A</mj-raw>\n</mj-column>`;
  expect(placeholders.unwrap(mjml)).toBe(
    `<mj-column>\n${marks.begin}<mj-raw>A</mj-raw>\n</mj-column>`,
  );
  expect(placeholders.marksOf({})).toBeUndefined();
});

it('placeholders of another document stay text', () => {
  expect(placeholders.find(new Placeholders().addTag(parseMergeTag('a')))).toEqual([]);
});

it.each([[marks.begin], [marks.end], [marks.end + marks.begin]])(
  'marks that are not nested cause an error: %#',
  (text) => {
    expect(() => textProgram(text, placeholders, new Set())).toThrow('are not nested');
  },
);

it('a tag where no value is allowed is left out, and is not a variable', () => {
  const { parts, variables } = htmlProgram(`<style>${tags[0]}</style>`, placeholders);
  expect([parts, [...variables]]).toEqual([['<style>', '</style>'], []]);
});
