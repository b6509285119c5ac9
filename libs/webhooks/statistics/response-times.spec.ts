import { describe, expect, it } from '@jest/globals';
import { HISTOGRAM_COLUMNS, estimatePercentile, RESPONSE_TIME_BOUNDS } from './response-times.js';

/** Builds a histogram of response times in milliseconds. */
function histogramOf(times: readonly number[]): number[] {
  const histogram = HISTOGRAM_COLUMNS.map(() => 0);
  for (const time of times) {
    const bucket = RESPONSE_TIME_BOUNDS.findIndex((bound) => time <= bound);
    const index = bucket === -1 ? histogram.length - 1 : bucket;
    histogram[index] = (histogram[index] ?? 0) + 1;
  }
  return histogram;
}

const exactPercentile = (times: readonly number[], fraction: number): number =>
  [...times].sort((a, b) => a - b)[Math.ceil(fraction * times.length) - 1] ?? NaN;

describe('percentiles of a histogram', () => {
  it('are unknown without attempts', () => {
    expect(estimatePercentile(histogramOf([]), 0.5)).toBeNull();
  });

  it.each([
    [[0], 0.5, 1],
    [[100], 0.5, 91],
    [[100, 100], 0.95, 124],
    [[3, 3, 3, 300], 0.5, 3],
    [[3, 3, 3, 300], 0.95, 446],
    [[20_000], 0.5, 15_000],
    [[10, 20_000], 0.95, 15_000],
  ])('of %j: the percentile %d is %i ms', (times, fraction, expected) => {
    expect(estimatePercentile(histogramOf(times), fraction)).toBe(expected);
  });

  it('are between half and twice the exact percentile', () => {
    // Response times with a long tail, like those of real receivers.
    const times = Array.from({ length: 1_000 }, (_, index) => Math.round(20 * 1.006 ** index));
    for (const fraction of [0.01, 0.1, 0.5, 0.9, 0.95, 0.99]) {
      const estimate = estimatePercentile(histogramOf(times), fraction) ?? NaN;
      const ratio = estimate / exactPercentile(times, fraction);
      expect(ratio).toBeGreaterThan(0.5);
      expect(ratio).toBeLessThan(2);
    }
  });
});
