import { describe, expect, test } from '@jest/globals';
import { formatCountdown } from './countdown.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('A countdown', () => {
  test.each([
    [1, '1 min'],
    [12 * MINUTE, '12 min'],
    [HOUR, '1 h'],
    [HOUR + MINUTE, '1 h 1 min'],
    [24 * HOUR - 1, '1 day'],
    [51 * HOUR, '2 days 3 h'],
  ])('of %i ms is %s', (milliseconds, text) => {
    expect(formatCountdown(milliseconds)).toBe(text);
  });
});
