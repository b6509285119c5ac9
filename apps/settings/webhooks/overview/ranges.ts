import type { StatisticsStep } from '#client';

const HOUR_MS = 3_600_000;

interface StatisticsRange {
  durationMs: number;
  /** Divides the range into at most 30 steps, because a narrow screen cannot show more. */
  step: StatisticsStep;
}

export const RANGES = {
  '1h': { durationMs: HOUR_MS, step: '5m' },
  '24h': { durationMs: 24 * HOUR_MS, step: '1h' },
  '7d': { durationMs: 7 * 24 * HOUR_MS, step: '6h' },
  '30d': { durationMs: 30 * 24 * HOUR_MS, step: '1d' },
} as const satisfies Record<string, StatisticsRange>;

export type RangeName = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as RangeName[];
export const DEFAULT_RANGE: RangeName = '24h';

/** Parses the range in the URL. The default range is omitted from the URL. */
export function parseOverviewSearch({ range }: Record<string, unknown>): { range?: RangeName } {
  const name = RANGE_NAMES.find((each) => each === range);
  return name === undefined || name === DEFAULT_RANGE ? {} : { range: name };
}

const timeFormat = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const dayFormat = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
// Steps of one day are days in UTC.
const utcDayFormat = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

/** Formats the start of a step with its date: "Nov 24, 12:00". */
export function formatStep(at: string, range: RangeName): string {
  const date = new Date(at);
  if (range === '30d') return utcDayFormat.format(date);
  return `${dayFormat.format(date)}, ${timeFormat.format(date)}`;
}

/** Formats a step for the axis. The date is omitted if the range is 24 hours or less. */
export const formatTick = (at: string, range: RangeName): string =>
  range === '1h' || range === '24h' ? timeFormat.format(new Date(at)) : formatStep(at, range);
