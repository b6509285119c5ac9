import { describe, expect, test } from '@jest/globals';
import { formatStep, formatTick, parseOverviewSearch } from './ranges.js';

describe('The range of the charts', () => {
  test('is read from the URL', () => {
    expect(parseOverviewSearch({ range: '7d' })).toEqual({ range: '7d' });
  });

  test('is omitted from the URL if it is the default or unknown', () => {
    expect(parseOverviewSearch({ range: '24h' })).toEqual({});
    expect(parseOverviewSearch({ range: '2y' })).toEqual({});
  });

  test('determines the format of a step', () => {
    expect(formatStep('2026-11-24T00:00:00Z', '30d')).toBe('Nov 24');
    expect(formatStep('2026-11-24T12:00:00Z', '7d')).toMatch(/^Nov 2\d, \d\d:\d\d$/);
    expect(formatTick('2026-11-24T12:00:00Z', '24h')).toMatch(/^\d\d:\d\d$/);
  });

  test('distinguishes the first and the last step of 24 hours', () => {
    const [first, last] = ['2026-11-23T12:00:00Z', '2026-11-24T12:00:00Z'];
    expect(formatStep(first, '24h')).not.toBe(formatStep(last, '24h'));
  });
});
