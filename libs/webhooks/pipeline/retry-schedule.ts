const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delay after each failed attempt. The first attempt and nine retries take about 75 hours. */
const RETRY_DELAYS = [
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

// Jitter spreads the retries of deliveries that failed together, so that they do not all reach a recovering receiver at
// the same time.
const JITTER = 0.2;

const MAX_DELAY = Math.max(...RETRY_DELAYS);

/**
 * Returns the delay in milliseconds after the failed attempt `attemptNumber` (from 1); undefined after the last
 * attempt.
 * @param retryAfterMs the delay in milliseconds that the receiver asked for. It is capped at the longest delay of the
 * schedule, and then extended by up to a fifth as jitter.
 */
export function retryDelay(attemptNumber: number, retryAfterMs = 0): number | undefined {
  const delay = RETRY_DELAYS[attemptNumber - 1];
  if (delay === undefined) return undefined;
  const jittered = delay * (1 + JITTER * (2 * Math.random() - 1));
  // The jitter never shortens the delay that the receiver asked for.
  const requested = Math.min(retryAfterMs, MAX_DELAY) * (1 + JITTER * Math.random());
  return Math.round(Math.max(jittered, requested));
}
