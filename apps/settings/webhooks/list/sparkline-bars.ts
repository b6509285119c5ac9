import type { RecentHour } from '#client';

/** The heights of the segments of one hour's bar, in pixels. */
interface Bar {
  delivered: number;
  retried: number;
  failed: number;
}

// The combined height of the tallest success bar and the tallest failure bar, which have the same scale.
const ROOM = 36;
// Keeps a single failure visible among thousands of attempts.
const MIN_HEIGHT = 2;
/** Includes room for segments that are raised to MIN_HEIGHT, and for the axis. */
export const SPARKLINE_HEIGHT = ROOM + 3 * MIN_HEIGHT + 2;

interface SparklineBars {
  bars: Bar[];
  /** The distance of the axis from the top. The axis separates successes from failures. */
  axis: number;
}

/** Successes extend upwards from the axis, and failures extend downwards at the same scale. */
export function layOutBars(hours: readonly RecentHour[]): SparklineBars {
  const largest = Math.max(0, ...hours.map(({ delivered }) => delivered));
  const largestFailed = Math.max(0, ...hours.map(({ retried, failed }) => retried + failed));
  const scale = ROOM / Math.max(1, largest + largestFailed);
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(MIN_HEIGHT, count * scale));
  const bars = hours.map(({ delivered, retried, failed }) => ({
    delivered: heightOf(delivered),
    retried: heightOf(retried),
    failed: heightOf(failed),
  }));
  const lowest = Math.max(0, ...bars.map(({ retried, failed }) => retried + failed));
  return { bars, axis: SPARKLINE_HEIGHT - 1 - lowest };
}
