import { GalleyError } from '#client';
import { expect, test } from '@jest/globals';
import { fieldErrorsOf } from './validation.js';

test('API messages are assigned to their fields', () => {
  const error = new GalleyError({
    statusCode: 400,
    code: 'invalid',
    message: 'url must use https',
    details: [{ path: 'url', message: 'url must use https' }],
  });
  expect(fieldErrorsOf(error)).toEqual({ url: 'Must use https' });
});

test('Other errors are not assigned to a field', () => {
  expect(fieldErrorsOf(new Error('no'))).toEqual({});
});
