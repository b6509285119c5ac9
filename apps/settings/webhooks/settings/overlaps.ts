import type { AuditEntry } from '#client';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Formats a duration in its two largest units: "1 day 3 h", "12 min". Rounds up, so that a countdown never ends early.
 */
export function formatCountdown(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / MINUTE_MS) * MINUTE_MS;
  const days = Math.floor(minutes / DAY_MS);
  const hours = Math.floor((minutes % DAY_MS) / HOUR_MS);
  const rest = Math.round((minutes % HOUR_MS) / MINUTE_MS);
  if (days > 0) return join(`${days} ${days === 1 ? 'day' : 'days'}`, hours, 'h');
  if (hours > 0) return join(`${hours} h`, rest, 'min');
  return `${rest} min`;
}

const join = (first: string, count: number, unit: string): string =>
  count === 0 ? first : `${first} ${count} ${unit}`;

/** The longest overlap that the API allows. */
export const MAX_OVERLAP_HOURS = 168;

/**
 * The earliest time of a rotation whose overlap may still last. The overlaps of all rotations before this time have
 * ended.
 */
export const firstRotationTime = (now: Date): Date =>
  new Date(now.getTime() - MAX_OVERLAP_HOURS * HOUR_MS);

/**
 * The times at which the webhook's earlier secrets stop signing, earliest first. The audit log supplies the rotations.
 * A rotation without an overlap stops all earlier secrets immediately.
 *
 * @param rotations the audit entries of the webhook's rotations, newest first.
 */
export function findOverlapEnds(rotations: readonly AuditEntry[], now: Date): Date[] {
  const ends: Date[] = [];
  for (const { occurredAt, details } of rotations) {
    const overlapHours = Number(details['overlapHours']);
    if (overlapHours === 0) break;
    ends.push(new Date(Date.parse(occurredAt) + overlapHours * HOUR_MS));
  }
  return ends.filter((end) => end > now).sort((a, b) => a.getTime() - b.getTime());
}
