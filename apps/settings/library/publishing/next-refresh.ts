// Galley publishes most often within a second of the time.
const DELAY_MS = 1_000;
const MIN_WAIT_MS = 2_000;
// Browsers fire timers of more than 24 days at once.
const MAX_WAIT_MS = 3_600_000;

/**
 * When to read what is scheduled again, in milliseconds: right after the next publication is due. False if
 * nothing is scheduled.
 */
export function nextRefresh(scheduled: readonly { at: string }[], now: number): number | false {
  const [next] = scheduled;
  if (next === undefined) return false;
  const wait = new Date(next.at).getTime() + DELAY_MS - now;
  return Math.min(Math.max(wait, MIN_WAIT_MS), MAX_WAIT_MS);
}
