import { expect, it } from '@jest/globals';
import { validateEnvironmentName } from './environment-name.js';
import { words } from './texts.js';

const { nameInvalid, nameTaken } = words;

it.each([
  ['staging', null],
  ['2026-eu', null],
  ['production', nameTaken],
  ['', nameInvalid],
  ['Staging', nameInvalid],
  ['a b', nameInvalid],
  ['x'.repeat(33), nameInvalid],
])('the name %j of a new environment: %s', (name, message) => {
  expect(validateEnvironmentName(name, [{ name: 'production' }])).toBe(message);
});
