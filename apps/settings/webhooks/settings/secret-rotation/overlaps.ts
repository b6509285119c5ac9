import type { AuditEntry } from '#client';

const HOUR_MS = 3_600_000;
/** The longest overlap that the API allows. */
export const MAX_OVERLAP_HOURS = 168;

/** All secrets that were replaced before this time have stopped signing. */
export const firstRotationTime = (now: Date): Date =>
  new Date(now.getTime() - MAX_OVERLAP_HOURS * HOUR_MS);

/**
 * When each earlier secret of the webhook stops signing, the next one first. Derived from the audit log: a
 * rotation without an overlap ends all earlier secrets.
 *
 * @param rotations the entries of the webhook's rotations, the newest first.
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
