import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toJsonLines } from './json-lines.js';

const print = (text: string) =>
  toJsonLines(text)
    ?.map(({ depth, tokens }) => '  '.repeat(depth) + tokens.map((token) => token.text).join(''))
    .join('\n');

describe('toJsonLines', () => {
  it('produces the same output as JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        expect(print(json)).toBe(JSON.stringify(JSON.parse(json), undefined, 2));
      }),
    );
  });

  it('preserves the notation of numbers and strings, and duplicate keys', () => {
    expect(print('{"a":12345678901234567890,"a":1.0,"b":"\\u00e9 { \\" }"}')).toBe(
      '{\n  "a": 12345678901234567890,\n  "a": 1.0,\n  "b": "\\u00e9 { \\" }"\n}',
    );
  });

  it('distinguishes keys from strings', () => {
    const kinds = toJsonLines('{"a":"b","c":[null,-1]}')?.flatMap(({ tokens }) =>
      tokens.filter(({ kind }) => kind !== 'punctuation').map(({ kind }) => kind),
    );
    expect(kinds).toEqual(['key', 'string', 'key', 'literal', 'number']);
  });

  it.each(['', 'Not found', '{"a":', '<html></html>'])('rejects invalid JSON: %s', (text) => {
    expect(toJsonLines(text)).toBeUndefined();
  });
});
