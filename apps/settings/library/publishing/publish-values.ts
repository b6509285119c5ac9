import type { Publish } from '#client';
import { fromLocalInput } from '../../controls/format.js';
import { words } from './texts.js';

export interface PublishValues {
  version: number;
  environment: string;
  when: 'now' | 'later';
  /** In the user's local time, because the input is a `datetime-local`. */
  time: string;
  note: string;
}

/** The error message of each invalid field, by field name. */
export function validatePublishValues({ when, time }: PublishValues, now = Date.now()) {
  const at = fromLocalInput(time);
  const isInFuture = at !== undefined && new Date(at).getTime() > now;
  return when === 'later' && !isInFuture ? { time: words.timeInvalid } : {};
}

export function toPublish({ version, environment, when, time, note }: PublishValues): Publish {
  const at = when === 'later' ? fromLocalInput(time) : undefined;
  return { version, environment, note: note.trim(), ...(at !== undefined && { at }) };
}

// Galley usually publishes within a second of the scheduled time.
const DELAY_MS = 1_000;
const MIN_WAIT_MS = 2_000;
// Browsers immediately fire a timer of more than about 24 days, so each wait is limited to an hour.
const MAX_WAIT_MS = 3_600_000;

/**
 * The delay in milliseconds until the scheduled publications are refetched, just after the next one is due. False if
 * nothing is scheduled.
 */
export function nextRefresh(scheduled: readonly { at: string }[], now: number): number | false {
  const [next] = scheduled;
  if (next === undefined) return false;
  const wait = new Date(next.at).getTime() + DELAY_MS - now;
  return Math.min(Math.max(wait, MIN_WAIT_MS), MAX_WAIT_MS);
}
