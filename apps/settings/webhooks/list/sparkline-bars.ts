import type { RecentHour } from '#client';

/** The heights of the parts of an hour's bar, in pixels. */
interface Bar {
  delivered: number;
  retried: number;
  failed: number;
}

// Room for the largest successes and the largest failures together, so that both have the same scale.
const ROOM = 36;
// A single failure among thousands of attempts is still visible.
const MIN_HEIGHT = 2;
/** Includes room for parts that are drawn higher than their scale, and for the line. */
export const SPARKLINE_HEIGHT = ROOM + 3 * MIN_HEIGHT + 2;

interface SparklineBars {
  bars: Bar[];
  /** The position of the line between successes and failures, from the top. */
  axis: number;
}

/** Successes grow up from the axis, and failures grow down from it, in the same scale. */
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
