import type { AuditEntry } from '#client';
import { describe, expect, test } from '@jest/globals';
import { findOverlapEnds, formatCountdown } from './overlaps.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('A countdown', () => {
  test.each([
    [1, '1 min'],
    [12 * MINUTE, '12 min'],
    [HOUR, '1 h'],
    [HOUR + MINUTE, '1 h 1 min'],
    [24 * HOUR - 1, '1 day'],
    [51 * HOUR, '2 days 3 h'],
  ])('of %i ms is %s', (milliseconds, text) => {
    expect(formatCountdown(milliseconds)).toBe(text);
  });
});

const now = new Date('2026-11-24T12:00:00Z');

const entry = (occurredAt: string, overlapHours: number): AuditEntry => ({
  id: occurredAt,
  occurredAt,
  action: 'secret.rotated',
  actor: null,
  address: null,
  targetId: 'a',
  details: { overlapHours },
});

const endsOf = (entries: AuditEntry[]) =>
  findOverlapEnds(entries, now).map((end) => end.toISOString());

describe('The earlier secrets of a webhook', () => {
  test('sign until their overlap ends', () => {
    expect(
      endsOf([
        entry('2026-11-24T11:00:00Z', 24),
        entry('2026-11-24T10:00:00Z', 5),
        entry('2026-11-24T09:00:00Z', 1),
      ]),
    ).toEqual(['2026-11-24T15:00:00.000Z', '2026-11-25T11:00:00.000Z']);
  });

  test('no longer sign after a rotation without an overlap', () => {
    expect(endsOf([entry('2026-11-24T11:00:00Z', 0), entry('2026-11-24T10:00:00Z', 24)])).toEqual(
      [],
    );
  });
});
