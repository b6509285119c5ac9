const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long after each failed attempt the next one follows: the first try and nine more in some 75 hours. */
const GAPS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

// Spreads the retries of those that failed together, so that a receiver that recovers is not met
// by all of them at once.
const JITTER = 0.2;

const LONGEST_GAP = Math.max(...GAPS);

/**
 * How many milliseconds to wait after the failed attempt number `attempts` (from 1); undefined when
 * it was the last one.
 * @param retryAfter milliseconds that the receiver asked for; it counts up to the longest gap of the
 * schedule.
 */
export function retryDelay(attempts: number, retryAfter = 0): number | undefined {
  const gap = GAPS[attempts - 1];
  if (gap === undefined) return undefined;
  const spread = gap * (1 + JITTER * (2 * Math.random() - 1));
  // Never earlier than the receiver asked.
  const asked = Math.min(retryAfter, LONGEST_GAP) * (1 + JITTER * Math.random());
  return Math.round(Math.max(spread, asked));
}

/** Reads `Retry-After`, which is seconds or a date (RFC 9110, section 10.2.3), into milliseconds. */
export function parseRetryAfter(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * SECOND;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
