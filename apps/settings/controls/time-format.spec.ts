import { expect, test } from '@jest/globals';
import { formatAgo, formatRelative, formatWait } from './time-format.js';

test.each([
  [-3 * 3_600_000, '3 hours ago'],
  [-2_500, '2 seconds ago'],
  [0, 'just now'],
  [-400, 'just now'],
  [400, 'now'],
  [90_000, 'in 1 minute'],
])('A distance of %d ms is %s', (distance, text) => {
  expect(formatRelative(distance)).toBe(text);
});

test('A past time is not ahead of the clock of the page', () => {
  expect(formatAgo(3_000)).toBe('just now');
  expect(formatAgo(-3_000)).toBe('3 seconds ago');
});

test('A wait of seconds is not now', () => {
  expect(formatWait(-2_000)).toBe('in a few seconds');
  expect(formatWait(9_999)).toBe('in a few seconds');
  expect(formatWait(25_000)).toBe('in 25 seconds');
});
