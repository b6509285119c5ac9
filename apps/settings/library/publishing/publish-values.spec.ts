import { expect, it } from '@jest/globals';
import { publishing as words } from '../../texts/library/publishing.js';
import { toPublish, validatePublishValues, type PublishValues } from './publish-values.js';

const values: PublishValues = {
  version: 3,
  environment: 'production',
  when: 'later',
  time: '2026-11-25T14:00',
  note: ' Spring campaign ',
};
const at = new Date(2026, 10, 25, 14, 0);

it('a scheduled publication has the time in UTC', () => {
  expect(toPublish(values)).toEqual({
    version: 3,
    environment: 'production',
    note: 'Spring campaign',
    at: at.toISOString(),
  });
});

it('a publication at once has no time', () => {
  expect(toPublish({ ...values, when: 'now' })).not.toHaveProperty('at');
});

it.each([
  ['later', '2026-11-25T14:00', -1, true],
  ['later', '2026-11-25T14:00', 0, false],
  ['later', '', -1, false],
  ['now', '', 0, true],
] as const)('%s at %j is checked', (when, time, difference, isValid) => {
  const errors = validatePublishValues({ ...values, when, time }, at.getTime() + difference);
  expect(errors).toEqual(isValid ? {} : { time: words.timeInvalid });
});
