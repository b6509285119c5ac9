import { describe, expect, it } from '@jest/globals';
import { resolveRange, stepStarts, type StatisticsStep } from './statistics-range.js';

const NOW = new Date('2026-11-24T09:07:30Z');
const HOUR_MS = 60 * 60 * 1_000;
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS);

describe('the range of statistics', () => {
  it('is the last 24 hours by default', () => {
    expect(resolveRange({}, NOW)).toEqual({
      from: new Date('2026-11-23T09:00:00Z'),
      to: new Date('2026-11-24T09:15:00Z'),
      step: '15m',
    });
  });

  it('is extended to whole steps', () => {
    expect(resolveRange({ from: hoursAgo(50), to: NOW, step: '1d' })).toEqual({
      from: new Date('2026-11-22T00:00:00Z'),
      to: new Date('2026-11-25T00:00:00Z'),
      step: '1d',
    });
  });

  it('stays the same if it already consists of whole steps', () => {
    const [from, to] = [new Date('2026-11-24T06:00:00Z'), new Date('2026-11-24T12:00:00Z')];
    const range = resolveRange({ from, to, step: '6h' });
    expect(range).toEqual({ from, to, step: '6h' });
    expect(stepStarts(range)).toEqual([from]);
  });

  it.each<[number, StatisticsStep]>([
    [1, '5m'],
    [16, '5m'],
    [24, '15m'],
    [3 * 24, '1h'],
    [7 * 24, '1h'],
    [30 * 24, '6h'],
    [90 * 24, '1d'],
    [365 * 24, '1d'],
  ])('of %i hours has the step %s by default', (hours, step) => {
    expect(resolveRange({ from: hoursAgo(hours) }, NOW).step).toBe(step);
  });

  it.each([
    [{ from: NOW, to: NOW }, 'from must be before to'],
    [{ from: new Date('2026-12-01T00:00:00Z') }, 'from must be before to'],
    [{ from: hoursAgo(401 * 24) }, 'from must be at most 400 days before to'],
    [
      { from: hoursAgo(48), to: NOW, step: '5m' as const },
      'step must be longer: this range has 577 steps of 5m, and at most 400 are returned',
    ],
  ])('%j is refused: %s', (request, message) => {
    expect(() => resolveRange(request, NOW)).toThrow(message);
  });
});
