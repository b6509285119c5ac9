import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#errors';
import fc from 'fast-check';
import { ParsedJson, parseJsonBody } from './json-body.js';
import { scanObject } from './json-scan.js';

const parse = (text: string) => parseJsonBody(Buffer.from(text)) as Record<string, unknown>;
const contentOf = (text: string) => {
  const { content } = parse(text);
  return content instanceof ParsedJson ? content.text : undefined;
};
const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

describe('the content of a body', () => {
  it.each([
    ['{"content":{}}', '{}'],
    ['{ "content" : { "2": 1, "1": 2.0 } , "name":"x"}', '{ "2": 1, "1": 2.0 }'],
    ['{"name":"content","content":[1,{"content":2}],"z":0}', '[1,{"content":2}]'],
    ['{"a":{"content":1},"content":"\\"}{,\\\\"}', '"\\"}{,\\\\"'],
    ['{"content":1,"content":{"last":"counts"}}', '{"last":"counts"}'],
    ['{"\\u0063ontent":{"escaped":"name"}}', '{"escaped":"name"}'],
    ['{"content":null}', 'null'],
    ['{"name":"none"}', undefined],
  ])('of %s is %s', (text, content) => {
    expect(contentOf(text)).toBe(content);
  });

  it('is found in whatever JSON there is around and inside it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (others, content) => {
        const { content: _replaced, ...rest } = others;
        const text = JSON.stringify({ ...rest, content }, null, 1);
        const member = scanObject(Buffer.from(text), 'content').member?.toString() ?? '';
        expect(JSON.parse(member)).toEqual(JSON.parse(JSON.stringify(content)));
        expect(text).toContain(member);
      }),
    );
  });
});

describe('a body', () => {
  it('may be nested 64 levels deep', () => {
    expect(parse(nested(64))).toBeDefined();
    expect(() => parse(nested(65))).toThrow(DomainError);
    expect(() => parse(nested(10_000))).toThrow('64 are allowed');
  });

  it.each([
    ['NUL', '{"a":"\\u0000"}'],
    ['NUL in a key', '{"a\\u0000":1}'],
    ['half a surrogate pair', '{"a":["\\ud83d"]}'],
    ['the other half', '{"a":{"b":"\\udc4b"}}'],
    ['__proto__', '{"a":{"__proto__":{}}}'],
    ['broken JSON', '{"a":'],
  ])('with %s is refused', (_what, text) => {
    expect(() => parse(text)).toThrow(DomainError);
  });

  it('with escaped backslashes, whole pairs and null beside them is not', () => {
    const text = '{"a":"\\\\u0000 \\ud83d\\udc4b","b":[null,{"c":"\\ud83d\\udc4b"}]}';
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it('that is not UTF-8 is refused', () => {
    expect(() => parseJsonBody(Buffer.from([0x22, 0xff, 0x22]))).toThrow('UTF-8');
  });
});
