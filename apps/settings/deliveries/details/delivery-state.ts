import type { Delivery } from '#client';
import { formatRelative } from '../../controls/format.js';
import { words } from './texts.js';

// A delivery becomes `failed` after this many failed attempts. Galley makes further attempts only on request.
const SCHEDULED_ATTEMPTS = 10;

type State = Pick<Delivery, 'status' | 'attempts' | 'nextAttemptAt'>;

/** Describes the status of a delivery in a sentence, and says what happens next. */
export function describeState(delivery: State, now: number): string {
  const { state } = words;
  switch (delivery.status) {
    case 'delivered':
      return state.delivered(state.attempts(delivery.attempts));
    case 'pending':
      return describeNextAttempt(delivery, now);
    case 'held':
    case 'failed':
    case 'cancelled':
      return state[delivery.status];
  }
}

function describeNextAttempt({ attempts, nextAttemptAt }: State, now: number): string {
  const { state } = words;
  if (nextAttemptAt === null) return state.waitsForEarlier;
  const wait = Date.parse(nextAttemptAt) - now;
  if (wait <= 0) return attempts === 0 ? state.firstAttemptDue : state.attemptDue;
  const time = formatRelative(wait);
  return attempts < SCHEDULED_ATTEMPTS
    ? state.nextAttempt(attempts + 1, time)
    : state.nextExtraAttempt(time);
}
