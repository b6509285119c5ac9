import { expect, it } from '@jest/globals';
import { ADVISORY_LOCKS } from './advisory-locks.js';

it('each lock has its own number', () => {
  const numbers = Object.values(ADVISORY_LOCKS);
  expect(new Set(numbers).size).toBe(numbers.length);
});
