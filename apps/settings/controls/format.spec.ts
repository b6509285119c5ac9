import { describe, expect, it, test } from '@jest/globals';
import {
  formatAgo,
  formatDuration,
  formatNumber,
  formatRelative,
  formatSize,
  formatWait,
  fromLocalInput,
  shortId,
  toLocalInput,
} from './format.js';

test.each([
  [-3 * 3_600_000, '3 hours ago'],
  [-2_500, '2 seconds ago'],
  [0, 'just now'],
  [-400, 'just now'],
  [400, 'now'],
  [90_000, 'in 1 minute'],
])('A difference of %d ms is formatted as %s', (distance, text) => {
  expect(formatRelative(distance)).toBe(text);
});

test('A past time is never shown as a future time', () => {
  expect(formatAgo(3_000)).toBe('just now');
  expect(formatAgo(-3_000)).toBe('3 seconds ago');
});

test('A wait of a few seconds is not formatted as “now”', () => {
  expect(formatWait(-2_000)).toBe('in a few seconds');
  expect(formatWait(9_999)).toBe('in a few seconds');
  expect(formatWait(25_000)).toBe('in 25 seconds');
});

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1_500, '1.5 s'],
    [15_000, '15 s'],
    [300_000, '5 min'],
    [9_000_000, '2.5 h'],
  ])('formats %d as %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });
});

it('formats numbers with thousands separators', () => {
  expect(formatNumber(1_204)).toBe('1,204');
});

it('shortens ids to their random end', () => {
  expect(shortId('01936f60-0b7e-7a66-a1d4-93c8f0e27b15')).toBe('…f0e27b15');
});

describe('local times', () => {
  it.each(['2026-01-31T23:05', '2026-07-01T00:00'])(
    'survive a round trip through an input: %s',
    (value) => {
      expect(toLocalInput(fromLocalInput(value))).toBe(value);
    },
  );

  it('are absent if the input is empty', () => {
    expect(fromLocalInput('')).toBeUndefined();
    expect(toLocalInput(undefined)).toBe('');
  });
});

it.each([
  ['', '0 B'],
  ['ä', '2 B'],
  ['x'.repeat(2_500), '2.4 KiB'],
  ['x'.repeat(900_000), '879 KiB'],
  ['x'.repeat(1_048_576), '1.0 MiB'],
])('formats the size of a text: case %#', (text, expected) => {
  expect(formatSize(text)).toBe(expected);
});
