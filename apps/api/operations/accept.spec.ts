import { expect, it } from '@jest/globals';
import { prefersToJson } from './accept.js';

it.each<[accept: string | undefined, prefersPatch: boolean]>([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/*', false],
  ['application/json', false],
  ['text/html', false],
  ['application/json-patch+json', true],
  ['Application/JSON-Patch+JSON; charset=utf-8', true],
  ['application/json-patch+json;q=0', false],
  ['application/json-patch+json, */*', true],
  ['application/json-patch+json;q=0.5, */*', false],
  ['application/json-patch+json, application/*;q=0.1', true],
  ['application/json-patch+json, application/json', false],
  ['application/json-patch+json, application/json;q=0.9', true],
  ['application/json;q=0, application/json-patch+json;q=0.1, */*', true],
  ['application/json-patch+json;q=x', true],
])('Accept: %s prefers a patch: %s', (accept, prefersPatch) => {
  expect(prefersToJson(accept, 'application/json-patch+json')).toBe(prefersPatch);
});
