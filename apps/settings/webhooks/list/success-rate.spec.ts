import { expect, test } from '@jest/globals';
import { formatSuccessRate, isMostlyFailing } from './success-rate.js';

test.each([
  [0, 0, undefined],
  [1, 1, '100 %'],
  [1, 0, '0 %'],
  [100_000, 99_999, '99.9 %'],
  [6, 1, '16.7 %'],
  [3, 2, '66.7 %'],
])('of %i attempts, %i succeeded: %s', (attempts, delivered, text) => {
  expect(formatSuccessRate({ attempts, delivered })).toBe(text);
});

test.each([
  [0, 0, false],
  [2, 1, false],
  [3, 1, true],
  [1, 0, true],
])('of %i attempts, %i succeeded, so most failed: %s', (attempts, delivered, isBad) => {
  expect(isMostlyFailing({ attempts, delivered })).toBe(isBad);
});
