import type { DeliveryDetails } from '#client';

type State = Pick<DeliveryDetails, 'status' | 'lastAttempt' | 'nextAttemptAt'>;

const POLL_MS = 500;
const POLL_RETRIES_MS = 3_000;
// Shorter waits do not count as a pause, because the browser's clock and Galley's may differ.
const MIN_PAUSE_MS = 2_000;

/** A test has a result after its first attempt. */
export const hasResult = ({ status, lastAttempt }: State): boolean =>
  lastAttempt !== null || (status !== 'pending' && status !== 'held');

/** The remaining pause of the webhook, in milliseconds; 0 if the webhook is not paused. */
export function remainingPause({ nextAttemptAt }: State, now: number): number {
  const wait = nextAttemptAt === null ? 0 : Date.parse(nextAttemptAt) - now;
  return wait < MIN_PAUSE_MS ? 0 : wait;
}

/** Polling continues after a failure, because a retry may succeed, for example once the receiver is repaired. */
export function pollInterval(delivery: State | undefined): number | false {
  if (delivery === undefined || !hasResult(delivery)) return POLL_MS;
  return delivery.status === 'pending' ? POLL_RETRIES_MS : false;
}

export type Outcome = 'delivered' | 'refused' | 'failed';

/** `refused` if the receiver responded with an error, `failed` if there was no response. */
export function outcomeOf({ status, lastAttempt }: State): Outcome {
  if (status === 'delivered') return 'delivered';
  return lastAttempt?.stage === 'status' ? 'refused' : 'failed';
}
