import { describe, expect, it } from '@jest/globals';
import { parseRetryAfter, retryDelay } from './retry-schedule.js';

const HOUR = 3_600_000;

describe('the schedule', () => {
  it('has nine gaps, so that there are ten attempts', () => {
    expect(retryDelay(9)).toBeDefined();
    expect(retryDelay(10)).toBeUndefined();
  });

  it('spreads each gap by a fifth to both sides', () => {
    const delays = Array.from({ length: 2_000 }, () => retryDelay(1) ?? 0);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(4_000);
    expect(Math.max(...delays)).toBeLessThanOrEqual(6_000);
    const early = delays.filter((delay) => delay < 4_500).length;
    const late = delays.filter((delay) => delay > 5_500).length;
    // A quarter each; with 2,000 draws, a share beyond these would come once in millions of runs.
    expect(early).toBeGreaterThan(380);
    expect(late).toBeGreaterThan(380);
  });

  it('waits longer when the receiver asks, but no longer than the longest gap', () => {
    expect(retryDelay(1, HOUR)).toBe(HOUR);
    expect(retryDelay(1, 1_000 * HOUR)).toBe(24 * HOUR);
    expect(retryDelay(2, 1_000)).toBeGreaterThan(200_000);
  });
});

describe('Retry-After', () => {
  it('is seconds or a date', () => {
    const now = Date.parse('2026-11-21T09:00:00Z');
    expect(parseRetryAfter('120', now)).toBe(120_000);
    expect(parseRetryAfter('Sat, 21 Nov 2026 09:01:00 GMT', now)).toBe(60_000);
    expect(parseRetryAfter('Sat, 21 Nov 2026 08:00:00 GMT', now)).toBe(0);
    expect(parseRetryAfter('soon', now)).toBeUndefined();
    expect(parseRetryAfter(undefined, now)).toBeUndefined();
  });
});
