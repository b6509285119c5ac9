import { expect, it } from '@jest/globals';
import { age, formatTable } from './table.js';

it('a table right-aligns numbers, truncates long text and replaces control characters', () => {
  const rows = [
    { name: 'A long name of a workspace', count: 7 },
    { name: 'red\u001b[31m\u202e', count: 1200 },
  ];
  const columns = [
    { title: 'WORKSPACE', value: ({ name }: { name: string }) => name, width: 12 },
    { title: 'COUNT', value: ({ count }: { count: number }) => count },
  ];
  expect(formatTable(columns, rows)).toBe(
    ['WORKSPACE     COUNT', 'A long name…      7', 'red?[31m?      1200'].join('\n'),
  );
});

it.each([
  [0, '0s'],
  [59, '59s'],
  [61, '1m'],
  [7_300, '2h'],
  [200_000, '2d'],
])('%s seconds are shown as %s', (seconds, text) => {
  expect(age(new Date(1_000_000_000 - seconds * 1_000), 1_000_000_000)).toBe(text);
});

it('a missing time is shown as a dash', () => {
  expect(age(null)).toBe('-');
});
