const numberFormat = new Intl.NumberFormat('en');

/** Formats a number with thousands separators: 1,204. */
export const formatNumber = (value: number): string => numberFormat.format(value);

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Formats a duration in the largest unit that fits: "41 ms", "1.5 s", "5 min", "2 h". */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < SECOND) return `${milliseconds} ms`;
  if (milliseconds < MINUTE) return `${round(milliseconds / SECOND)} s`;
  if (milliseconds < HOUR) return `${Math.round(milliseconds / MINUTE)} min`;
  return `${round(milliseconds / HOUR)} h`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

// Ids are UUIDs of version 7. Ids of nearly the same time begin alike, but their last characters are random.
const SHORT_ID_LENGTH = 8;
export const shortId = (id: string): string => `…${id.slice(-SHORT_ID_LENGTH)}`;
