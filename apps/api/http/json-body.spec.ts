import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#errors';
import fc from 'fast-check';
import { isRecord, ParsedJson, parseBatchBody, parseJsonBody } from './json-body.js';
import { EACH, scanJson, type Path } from './json-scan.js';

const parse = (text: string) => parseJsonBody(Buffer.from(text), 64) as Record<string, unknown>;
const contentOf = (text: string) => {
  const { content } = parse(text);
  return content instanceof ParsedJson ? content.text : undefined;
};
const OPERATIONS: Path = ['operations', EACH, 'content'];
const scan = (json: string | Buffer, path: Path, depth = 64) =>
  scanJson(Buffer.from(json), path, { depth, elements: 1_000 });
const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

describe('the content of a body', () => {
  it.each([
    ['{"content":{}}', '{}'],
    ['{ "content" : { "2": 1, "1": 2.0 } , "name":"x"}', '{ "2": 1, "1": 2.0 }'],
    ['{"name":"content","content":[1,{"content":2}],"z":0}', '[1,{"content":2}]'],
    ['{"a":{"content":1},"content":"\\"}{,\\\\"}', '"\\"}{,\\\\"'],
    ['{"content":1,"content":{"last":"counts"}}', '{"last":"counts"}'],
    ['{"\\u0063ontent":{"escaped":"name"}}', '{"escaped":"name"}'],
    ['{"\\u0063onten\\u0074":1,"\\\\u0063ontent":2,"contents":3,"conten":4}', '1'],
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
        const member = scan(text, ['content']).found[0]?.toString() ?? '';
        expect(JSON.parse(member)).toEqual(JSON.parse(JSON.stringify(content)));
        expect(text).toContain(member);
      }),
    );
  });
});

describe('the contents of a batch', () => {
  const parseBatch = (text: string, limit = 1e7) =>
    parseBatchBody(Buffer.from(text), 64, limit) as { operations: unknown[] };
  const contentsOf = (text: string) =>
    parseBatch(text).operations.map((operation) => {
      const { content } = (operation ?? {}) as { content?: unknown };
      return content instanceof ParsedJson ? content.text : content;
    });

  it.each([
    ['{"operations":[{"content":{}},{"content":{"b":1.0,"1":2}}]}', ['{}', '{"b":1.0,"1":2}']],
    [
      '{"operations":[{},{"content": {"content":[{"content":1}]} },7]}',
      [...[undefined, '{"content":[{"content":1}]}', undefined]],
    ],
    ['{"content":{},"a":{"operations":[{"content":{}}]},"operations":[{"a":1}]}', [undefined]],
    ['{"operations":[{"content":1,"content":{"last":1}}]}', ['{"last":1}']],
    [
      '{"operations":[{"content":{"a":1}},{}],"operations":[{},{"content":{}}]}',
      [...[undefined, '{}']],
    ],
    ['{"operations":[{"content":{}}],"operations":[]}', []],
    ['{"\\u006fperations":[{"conten\\u0074":{"a":1}}]}', ['{"a":1}']],
    [
      '{"operations":[["content",{}],[{"content":{}}],"content",{"content":"]}"}]}',
      [...[undefined, undefined, undefined, '"]}"']],
    ],
    ['{"operations":[\n{ "a":[1,2,{"b":3}], "content" :\t[ 1 ] }\n, null]}', ['[ 1 ]', undefined]],
  ])('of %s are %j', (text, contents) => {
    expect(contentsOf(text)).toEqual(contents);
  });

  it('are found in whatever JSON there is around and inside them', () => {
    const operation = fc.oneof(
      fc.jsonValue(),
      fc.record({ content: fc.jsonValue(), a: fc.jsonValue(), operations: fc.jsonValue() }),
    );
    const body = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(body, fc.array(operation), (others, operations) => {
        const text = JSON.stringify({ ...others, operations, z: others }, null, 1);
        // Names that are refused wherever they stand.
        fc.pre(!/__proto__|constructor/.test(text));
        const { operations: parsed } = JSON.parse(text) as { operations: unknown[] };
        expect(parseBatch(text).operations.map(plain)).toEqual(parsed);
        const { found } = scan(text, OPERATIONS);
        for (const [at, bytes] of found.entries()) {
          if ((bytes as Buffer | undefined) === undefined) continue;
          const { content } = parsed[at] as { content: unknown };
          expect(JSON.parse(bytes.toString())).toEqual(content);
        }
      }),
    );
  });

  const plain = (operation: unknown): unknown =>
    isRecord(operation) && operation['content'] instanceof ParsedJson
      ? { ...operation, content: operation['content'].value }
      : operation;

  it('may be as deep and as large as a single one', () => {
    const batch = (content: string) => `{"operations":[{"content":${content}}]}`;
    expect(() => parse(`{"content":${nested(63)}}`)).not.toThrow();
    expect(() => parseBatch(batch(nested(63)))).not.toThrow();
    expect(() => parseBatch(batch(nested(64)))).toThrow('nested more than 66 levels deep');
    expect(() => parseBatch(batch(`"${'x'.repeat(998)}"`), 1_000)).not.toThrow();
    expect(() => parseBatch(batch(`"${'x'.repeat(999)}"`), 1_000)).toThrow(
      'operations.0.content is larger than 1000 bytes',
    );
  });

  it('are of 1,000 operations at most', () => {
    const batch = (count: number) => `{"operations":[${'{},'.repeat(count - 1)}{}]}`;
    expect(parseBatch(batch(1_000)).operations).toHaveLength(1_000);
    const message = 'operations must be a list of 1 to 1000 operations';
    expect(() => parseBatch(batch(1_001))).toThrow(
      new DomainError('invalid', `${message}.`, [{ path: 'operations', message }]),
    );
  });

  // Only that of the operations is limited.
  it('may hold longer lists', () => {
    const many = JSON.stringify(Array(2_000).fill([]));
    const text = `{"a":${many},"operations":[{"content":${many}},{"operations":${many}}]}`;
    expect(contentsOf(text)).toEqual([many, undefined]);
  });

  // What takes time in proportion to the square of its length would take minutes.
  it.each([
    ['arrays', '[', '[],', ']'],
    ['operations', '[', '{"content":1},', ']'],
    ['strings', '[', '"\\"content",', ']'],
    ['spaces', '[', ' ', ']'],
    ['names', '{', '"content":1,"operations":[],', '}'],
    ['escapes', '[', '"\\ud83d\\ude00\\\\u0000",', ']'],
  ])('are found soon among very many %s', (_what, open, part, close) => {
    const filler = part.repeat(1_000_000 / part.length);
    const many = `${open}${filler}${open === '{' ? '"":1' : '1'}${close}`;
    const text = `{"a":${many},"operations":[{"content":${many}},{"content":{"a":1}}],"b":${many}}`;
    expect(contentsOf(text).at(-1)).toBe('{"a":1}');
  });
});

// To parse it takes many times as long, and memory.
describe('what is refused before it is parsed', () => {
  const parseBatch = (text: string) => parseBatchBody(Buffer.from(text), 64, 1e7);

  // They are no JSON, which only the parser would say.
  it.each([
    ['a body too deep', parse, '['.repeat(65), 'more than 64 levels'],
    ['a batch too deep', parseBatch, `{"operations":[${'['.repeat(65)}`, 'more than 66 levels'],
    [
      'too long a batch',
      parseBatch,
      `{"operations":[${'{},'.repeat(1_000)}`,
      '1 to 1000 operations',
    ],
  ])('is %s', (_what, parser, text, message) => {
    expect(() => parser(text)).toThrow(message);
  });

  it('is not what is broken otherwise', () => {
    expect(() => parse('['.repeat(64))).toThrow('not valid JSON');
    expect(() => parse(`"${'['.repeat(65)}`)).toThrow('not valid JSON');
    expect(() => parseBatch(`{"operations":[${'{},'.repeat(999)}`)).toThrow('not valid JSON');
  });
});

describe('the scan', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
      : 0;

  it('knows how deep any JSON is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const depth = depthOf(JSON.parse(text));
        expect(scan(text, ['content'], depth).exceeded).toBeUndefined();
        if (depth > 0) expect(scan(text, ['content'], depth - 1).exceeded).toBe('depth');
      }),
    );
  });

  const token = fc.constantFrom(
    ...[
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '\\u00',
      ' ',
      '1',
      '"operations":[',
      '{"content":',
    ],
    ...['"\\u0063ontent":', '"\\qontent":', '"conten\\u":'],
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 100 }).map((array) => Buffer.from(array)),
    fc.array(token, { maxLength: 100 }).map((tokens) => Buffer.from(tokens.join(''))),
  );

  it('comes to an end with any bytes', () => {
    fc.assert(
      fc.property(bytes, fc.constantFrom<Path>(['content'], OPERATIONS), (json, path) => {
        expect(() => scan(json, path)).not.toThrow();
      }),
      { numRuns: 1_000 },
    );
  });

  it('leaves all bytes but those of JSON to be refused', () => {
    fc.assert(
      fc.property(bytes, (json) => {
        fc.pre(!isJson(json.toString()));
        expect(() => parse(json.toString())).toThrow(/not valid JSON|levels deep/);
      }),
      { numRuns: 1_000 },
    );
  });

  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return text === '';
    }
  };

  // What takes time in proportion to the square of its length would take minutes.
  it.each([
    ['names in bad escapes', '{"\\qperations":'],
    ['names in escapes', ',"\\u006f\\u0070erationz":'],
    ['colons', ':'],
    ['closed brackets', ']'],
    ['commas and spaces', ' ,'],
    ['open strings', '"\\'],
  ])('is soon done with very many %s', (_what, part) => {
    const start = '{"operations":[{"\\u0063\\u006fntenx"';
    const text = Buffer.from(start + part.repeat(16_000_000 / part.length));
    const limits = { depth: Infinity, elements: Infinity };
    expect(scanJson(text, OPERATIONS, limits).exceeded).toBeUndefined();
  });
});

describe('a body', () => {
  it('may be nested 64 levels deep', () => {
    expect(parse(nested(64))).toBeDefined();
    expect(() => parse(nested(65))).toThrow(DomainError);
    expect(() => parse(nested(10_000))).toThrow('nested more than 64 levels deep');
  });

  it.each([
    ['NUL', '{"a":"\\u0000"}'],
    ['NUL in a key', '{"a\\u0000":1}'],
    ['half a surrogate pair', '{"a":["\\ud83d"]}'],
    ['the other half', '{"a":{"b":"\\udc4b"}}'],
    ['halves in the wrong order', '{"a":"\\udc4b\\ud83d"}'],
    ['half a pair behind a whole one', '{"a":"\\ud83d\\udc4b\\ud83d"}'],
    ['NUL behind an escaped backslash', '{"a":"\\\\\\u0000"}'],
    ['NUL in capitals', '{"a":"\\uD83D\\uDC4B \\u0000"}'],
    ['__proto__', '{"a":{"__proto__":{}}}'],
    ['broken JSON', '{"a":'],
  ])('with %s is refused', (_what, text) => {
    expect(() => parse(text)).toThrow(DomainError);
  });

  it('is told of what is wrong with it, whatever it says itself', () => {
    expect(() => parse('{"a":{"__proto__":{}}}')).toThrow('a field `__proto__`');
    expect(() => parse('forbidden prototype')).toThrow('not valid JSON');
  });

  it('with escaped backslashes, whole pairs and null beside them is not', () => {
    const text = '{"a":"\\\\u0000 \\ud83d\\udc4b","b":[null,{"c":"\\ud83d\\udc4b"}]}';
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it('that is not UTF-8 is refused', () => {
    expect(() => parseJsonBody(Buffer.from([0x22, 0xff, 0x22]), 64)).toThrow('UTF-8');
  });
});
