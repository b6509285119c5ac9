import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { parseRetryAfter } from '../sending/retry-after.js';
import { retryDelay } from './retry-schedule.js';

const MINUTE = 60_000;
const HOUR = 3_600_000;

afterEach(() => void jest.restoreAllMocks());

describe('the schedule', () => {
  it.each([
    [1, 5_000],
    [2, 5 * MINUTE],
    [3, 30 * MINUTE],
    [4, 2 * HOUR],
    [5, 5 * HOUR],
    [6, 10 * HOUR],
    [7, 14 * HOUR],
    [8, 20 * HOUR],
    [9, 24 * HOUR],
    [10, undefined],
  ])('after failed attempt %i, Galley waits %s ms on average', (attempts, meanDelay) => {
    // If the random number is 0.5, the jitter is zero.
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    expect(retryDelay(attempts)).toBe(meanDelay);
  });

  it.each([
    // Name, number of failed attempts, mean delay, width of a bucket, and the largest allowed share of the 10,000
    // delays in one bucket.
    ['first retry', 1, 5_000, 100, 0.1],
    ['second retry', 2, 300_000, 1_000, 0.02],
  ])(
    'spreads the %s evenly, at most a fifth above or below the mean delay',
    (_name, attempts, meanDelay, bucketMs, maxShare) => {
      const delays = Array.from({ length: 10_000 }, () => retryDelay(attempts) ?? 0);
      expect(Math.min(...delays)).toBeGreaterThanOrEqual(meanDelay * 0.8);
      expect(Math.max(...delays)).toBeLessThanOrEqual(meanDelay * 1.2);
      const bucketCounts = Array.from({ length: (meanDelay * 0.4) / bucketMs }, (_, index) => {
        const bucketStart = meanDelay * 0.8 + index * bucketMs;
        return delays.filter((delay) => delay >= bucketStart && delay < bucketStart + bucketMs)
          .length;
      });
      expect(Math.max(...bucketCounts)).toBeLessThan(maxShare * delays.length);
      expect(Math.min(...bucketCounts)).toBeGreaterThan(0);
    },
  );

  it('waits longer if the receiver asks, up to the longest delay of the schedule', () => {
    expect(retryDelay(1, HOUR)).toBeGreaterThanOrEqual(HOUR);
    expect(retryDelay(1, 1_000 * HOUR)).toBeLessThanOrEqual(1.2 * 24 * HOUR);
    expect(retryDelay(2, 1_000)).toBeGreaterThan(200_000);
  });

  it('spreads the retries of deliveries that got the same Retry-After', () => {
    const delays = Array.from({ length: 1_000 }, () => retryDelay(1, HOUR) ?? 0);
    expect(Math.min(...delays)).toBeLessThan(1.02 * HOUR);
    expect(Math.max(...delays)).toBeGreaterThan(1.18 * HOUR);
  });
});

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    ['Sat, 21 Nov 2026 09:01:00 GMT', 60_000],
    ['Sat, 21 Nov 2026 08:00:00 GMT', 0],
    ['soon', undefined],
    ['120 seconds', undefined],
    ['120, 120', undefined],
    ['PT120', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('parses %j as %p ms', (value, milliseconds) => {
    expect(parseRetryAfter(value, Date.parse('2026-11-21T09:00:00Z'))).toBe(milliseconds);
  });
});
