import type { RecentHour } from '#client';
import { describe, expect, test } from '@jest/globals';
import { layOutBars, SPARKLINE_HEIGHT } from './sparkline-bars.js';

const hour = (delivered: number, retried = 0, failed = 0): RecentHour => ({
  at: '2026-11-24T23:00:00.000Z',
  delivered,
  retried,
  failed,
});

describe('The bars of the last 24 hours', () => {
  test('use the same scale for successes and failures', () => {
    const [bar] = layOutBars([hour(1, 2)]).bars;
    expect(bar).toEqual({ delivered: 12, retried: 24, failed: 0 });
  });

  test('use the same scale for all hours', () => {
    const { bars } = layOutBars([hour(30), hour(15, 0, 6)]);
    expect(bars).toEqual([
      { delivered: 30, retried: 0, failed: 0 },
      { delivered: 15, retried: 0, failed: 6 },
    ]);
  });

  test('show a single failure among many attempts', () => {
    expect(layOutBars([hour(10_000, 1, 1)]).bars[0]).toMatchObject({ retried: 2, failed: 2 });
  });

  test.each([[[]], [[hour(0)]], [[hour(10_000, 1, 1)]], [[hour(0, 3, 3)]], [[hour(0, 9_999, 1)]]])(
    'fit into the height: %j',
    (hours) => {
      const { bars, axis } = layOutBars(hours);
      for (const { delivered, retried, failed } of bars) {
        expect(axis - 1 - delivered).toBeGreaterThanOrEqual(0);
        expect(axis + 1 + retried + failed).toBeLessThanOrEqual(SPARKLINE_HEIGHT);
      }
    },
  );
});
