// Galley usually publishes within a second after the scheduled time.
const DELAY_MS = 1_000;
const MIN_WAIT_MS = 2_000;
// Browsers fire timers of more than 24 days at once.
const MAX_WAIT_MS = 3_600_000;

/**
 * In how many milliseconds to read the scheduled publications again: right after the next publication is due. False
 * if nothing is scheduled.
 */
export function nextRefresh(scheduled: readonly { at: string }[], now: number): number | false {
  const [next] = scheduled;
  if (next === undefined) return false;
  const wait = new Date(next.at).getTime() + DELAY_MS - now;
  return Math.min(Math.max(wait, MIN_WAIT_MS), MAX_WAIT_MS);
}
