import { expect, it } from '@jest/globals';
import {
  nextRefresh,
  toPublish,
  validatePublishValues,
  type PublishValues,
} from './publish-values.js';
import { words } from './texts.js';

const values: PublishValues = {
  version: 3,
  environment: 'production',
  when: 'later',
  time: '2026-11-25T14:00',
  note: ' Spring campaign ',
};
const at = new Date(2026, 10, 25, 14, 0);

it('the time of a scheduled publication is sent in UTC', () => {
  expect(toPublish(values)).toEqual({
    version: 3,
    environment: 'production',
    note: 'Spring campaign',
    at: at.toISOString(),
  });
});

it('an immediate publication has no time', () => {
  expect(toPublish({ ...values, when: 'now' })).not.toHaveProperty('at');
});

it.each([
  ['later', '2026-11-25T14:00', -1, true],
  ['later', '2026-11-25T14:00', 0, false],
  ['later', '', -1, false],
  ['now', '', 0, true],
] as const)('validates the choice “%s” with the time %j', (when, time, difference, isValid) => {
  const errors = validatePublishValues({ ...values, when, time }, at.getTime() + difference);
  expect(errors).toEqual(isValid ? {} : { time: words.timeInvalid });
});

const now = new Date('2026-11-25T12:00:00.000Z').getTime();

it.each([
  [[], false],
  [['2026-11-25T12:00:10Z'], 11_000],
  [['2026-11-25T12:00:10Z', '2026-11-25T12:00:20Z'], 11_000],
  [['2026-11-25T11:59:00Z'], 2_000],
  [['2027-11-25T12:00:00Z'], 3_600_000],
])('publications scheduled at %j are refetched after %s ms', (times, expected) => {
  expect(
    nextRefresh(
      times.map((at) => ({ at })),
      now,
    ),
  ).toBe(expected);
});
