import { expect, it } from '@jest/globals';
import { formatSize } from './format-size.js';

it.each([
  ['', '0 B'],
  ['ä', '2 B'],
  ['x'.repeat(2_500), '2.4 KiB'],
  ['x'.repeat(900_000), '879 KiB'],
  ['x'.repeat(1_048_576), '1.0 MiB'],
])('the size of a text is %#', (text, expected) => {
  expect(formatSize(text)).toBe(expected);
});
