import { expect, it } from '@jest/globals';
import { runInSlices } from '#time-slices';
import { layoutText, UNDERLINE } from './layout-text.js';

const words = (count: number) => 'word '.repeat(count).trim();

it.each([
  ['a long line', words(20), `${words(15)}\n${words(5)}\n`],
  ['an entry of a list', `-  ${words(20)}`, `-  ${words(15)}\n   ${words(5)}\n`],
  ['a quotation', `> ${words(20)}`, `> ${words(15)}\n> ${words(5)}\n`],
  ['a long word', `A ${'b'.repeat(100)} C`, `A\n${'b'.repeat(100)}\nC\n`],
  ['a heading', `Hello Ada\n${UNDERLINE}=`, 'Hello Ada\n=========\n'],
  ['a long heading', `${words(16)}\n${UNDERLINE}-\n\nA`, `${words(15)}\nword\n----\n\nA\n`],
  ['empty lines', '\n\nA\n\n\n\nB  \n\n', 'A\n\nB\n'],
])('%s is laid out', async (_what, text, expected) => {
  expect(await runInSlices(layoutText(text))).toBe(expected);
});

it.each(['> ', ' '])(
  'thousands of %j at the beginning of a value are not repeated on each line',
  async (character) => {
    const text = `${character.repeat(30_000)}${words(10_000)}`;
    const laidOut = await runInSlices(layoutText(text));
    expect(laidOut.length).toBeLessThan(text.length * 2);
  },
);
