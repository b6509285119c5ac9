import { describe, expect, it } from '@jest/globals';
import { formatPercentiles, reliablePercentiles } from './percentiles.js';

const totals = (attempts: number, p50: number | null, p95: number | null) => ({
  attempts,
  delivered: attempts,
  retried: 0,
  failed: 0,
  p50,
  p95,
});

describe('formatPercentiles', () => {
  it.each([
    [totals(20, 45, 1_500), '≈ 45 ms / 1.5 s'],
    [totals(19, 45, 62), 'Needs 20 attempts'],
    [totals(1, 45, 62), 'Needs 20 attempts'],
    [totals(0, null, null), '–'],
    [totals(20, null, null), '–'],
  ])('formats %j as %s', (counts, text) => {
    expect(formatPercentiles(counts)).toBe(text);
  });
});

it('omits the percentiles of fewer than 20 attempts', () => {
  expect(reliablePercentiles(totals(19, 45, 62))).toEqual({ p50: null, p95: null });
  expect(reliablePercentiles(totals(20, 45, 62))).toEqual({ p50: 45, p95: 62 });
});
