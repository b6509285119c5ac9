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
  ['{"a":[true,null,-1.5]}', ' {"a": [true\n, null,\t-1.50] } ', true],
  ['{"a":[true]}', '{"a":[true,1]}', false],
  ['[]', '{}', false],
  ['{"a":"b\\"c"}', '{"a":"b\\u0022c"}', true],
  ['{}', `{${' '.repeat(1_022)}}`, true],
  ['{}', `{${' '.repeat(1_023)}}`, false],
])('%s equals %s: %s', (one, other, same) => {
  expect(new JsonText(one).equals(new JsonText(other))).toBe(same);
});

it('an array of documents contains each document unchanged', () => {
  const documents = [
    new JsonText('{"b":1.0,"b":2}'),
    undefined,
    new JsonText(Buffer.from('{"é":1}')),
  ];
  expect(JsonText.arrayOf(documents).toString()).toBe('[{"b":1.0,"b":2},null,{"é":1}]');
  expect(JsonText.arrayOf([]).toString()).toBe('[]');
});
