import { expect, it } from '@jest/globals';
import { JsonText } from './json-text.js';

it.each([
  ['{"a":1}', '{ "a" : 1 }', true],
  ['{"a":"é"}', '{"a":"\\u00e9"}', true],
  ['{"a":1,"b":2}', '{"b":2,"a":1}', false],
  ['{"a":1}', '{"a":2}', false],
  ['{"a":1.0}', '{"a":1}', true],
  ['{"a":"1.0 "}', '{"a":"1.0"}', false],
  ['{"2":1,"1":1}', '{"1":1,"2":1}', false],
  ['{"a":9007199254740992}', '{"a":9007199254740993}', false],
  ['{"a":1e400}', '{"a":1e500}', false],
])('%s and %s: the same is %s', (one, other, same) => {
  expect(new JsonText(one).equals(new JsonText(other))).toBe(same);
});
