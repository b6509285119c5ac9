import { expect, it } from '@jest/globals';
import { nextRefresh } from './next-refresh.js';

const now = new Date('2026-11-25T12:00:00.000Z').getTime();

it.each([
  [[], false],
  [['2026-11-25T12:00:10Z'], 11_000],
  [['2026-11-25T12:00:10Z', '2026-11-25T12:00:20Z'], 11_000],
  [['2026-11-25T11:59:00Z'], 2_000],
  [['2027-11-25T12:00:00Z'], 3_600_000],
])('what is scheduled at %j is read again after %s ms', (times, expected) => {
  expect(
    nextRefresh(
      times.map((at) => ({ at })),
      now,
    ),
  ).toBe(expected);
});
