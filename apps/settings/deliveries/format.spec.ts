import { describe, expect, it } from '@jest/globals';
import { formatDuration, formatNumber, shortId } from './format.js';

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

it('formats numbers with separators', () => {
  expect(formatNumber(1_204)).toBe('1,204');
});

it('shortens ids to their random end', () => {
  expect(shortId('01936f60-0b7e-7a66-a1d4-93c8f0e27b15')).toBe('…f0e27b15');
});
