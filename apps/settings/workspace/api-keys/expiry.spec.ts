import { describe, expect, it } from '@jest/globals';
import { expiresAtOf, expiryState, isFutureDate } from './expiry.js';

const now = new Date('2026-11-24T12:00:00.000Z');

describe('the expiry time', () => {
  it('is the given number of days from now', () => {
    expect(expiresAtOf('30', '', now)).toBe('2026-12-24T12:00:00.000Z');
  });

  it('is the end of the day in the user’s time zone', () => {
    const expected = new Date(2026, 11, 24, 23, 59, 59, 999).toISOString();
    expect(expiresAtOf('date', '2026-12-24', now)).toBe(expected);
  });

  it('is null for a key that does not expire', () => {
    expect(expiresAtOf('never', '2026-12-24', now)).toBeNull();
  });
});

it.each([
  ['', false],
  ['2026-11-22', false],
  ['2026-11-26', true],
])('%j is a date in the future: %s', (date, expected) => {
  expect(isFutureDate(date, now)).toBe(expected);
});

it.each([
  [null, 'valid'],
  ['2026-11-24T11:59:00Z', 'expired'],
  ['2026-11-30T12:00:00Z', 'soon'],
  ['2026-12-30T12:00:00Z', 'valid'],
] as const)('a key that expires at %s is %s', (expiresAt, state) => {
  expect(expiryState(expiresAt, now)).toBe(state);
});
