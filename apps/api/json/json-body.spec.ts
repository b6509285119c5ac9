import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#errors';
import fc from 'fast-check';
import { isRecord, readBatchBody, readBody, ReceivedDocument } from './json-body.js';

function runToEnd<T>(generator: Generator<void, T>): T {
  for (;;) {
    const step = generator.next();
    if (step.done) return step.value;
  }
}

const parseBody = (json: string | Buffer, depth = 64) =>
  runToEnd(readBody(Buffer.from(json), depth)) as Record<string, unknown>;
const parseBatch = (text: string, limit = 1e7) =>
  runToEnd(readBatchBody(Buffer.from(text), 64, limit)) as { operations: unknown[] };
const contentOf = (text: string) => {
  const { content } = parseBody(text);
  return content instanceof ReceivedDocument ? content.text : undefined;
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
    ['{"\\u0063onten\\u0074":1,"\\\\u0063ontent":2,"contents":3,"conten":4}', '1'],
    ['{"content":null}', 'null'],
    ['{"name":"none"}', undefined],
  ])('of %s is %s', (text, content) => {
    expect(contentOf(text)).toBe(content);
  });

  it('is found in any JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (others, content) => {
        const { content: _replaced, ...rest } = others;
        const text = JSON.stringify({ ...rest, content }, null, 1);
        // Skips JSON that may contain a forbidden name.
        fc.pre(!/__proto__|constructor|\\u/.test(text));
        const member = contentOf(text) ?? '';
        expect(JSON.parse(member)).toEqual(JSON.parse(JSON.stringify(content)));
        expect(text).toContain(member);
      }),
    );
  });
});

describe('the contents of a batch', () => {
  const contentsOf = (text: string) =>
    parseBatch(text).operations.map((operation) => {
      const { content } = (operation ?? {}) as { content?: unknown };
      return content instanceof ReceivedDocument ? content.text : content;
    });

  it.each([
    ['{"operations":[{"content":{}},{"content":{"b":1.0,"1":2}}]}', ['{}', '{"b":1.0,"1":2}']],
    [
      '{"operations":[{},{"content": {"content":[{"content":1}]} },7]}',
      [undefined, '{"content":[{"content":1}]}', undefined],
    ],
    ['{"content":{},"a":{"operations":[{"content":{}}]},"operations":[{"a":1}]}', [undefined]],
    ['{"operations":[{"content":1,"content":{"last":1}}]}', ['{"last":1}']],
    ['{"operations":[{"content":{"a":1}},{}],"operations":[{},{"content":{}}]}', [undefined, '{}']],
    ['{"operations":[{"content":{}}],"operations":[]}', []],
    ['{"\\u006fperations":[{"conten\\u0074":{"a":1}}]}', ['{"a":1}']],
    [
      '{"operations":[["content",{}],[{"content":{}}],"content",{"content":"]}"}]}',
      [undefined, undefined, undefined, '"]}"'],
    ],
    ['{"operations":[\n{ "a":[1,2,{"b":3}], "content" :\t[ 1 ] }\n, null]}', ['[ 1 ]', undefined]],
  ])('of %s are %j', (text, contents) => {
    expect(contentsOf(text)).toEqual(contents);
  });

  it('are found in any JSON', () => {
    const operation = fc.oneof(
      fc.jsonValue(),
      fc.record({ content: fc.jsonValue(), a: fc.jsonValue(), operations: fc.jsonValue() }),
    );
    const body = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(body, fc.array(operation), (others, operations) => {
        const text = JSON.stringify({ ...others, operations, z: others }, null, 1);
        // Skips JSON that may contain a forbidden name.
        fc.pre(!/__proto__|constructor|\\u/.test(text));
        const { operations: parsed } = JSON.parse(text) as { operations: unknown[] };
        const read = parseBatch(text).operations.map(withParsedContent);
        expect(read).toEqual(parsed.map((each) => (isRecord(each) ? each : null)));
      }),
    );
  });

  const withParsedContent = (operation: unknown): unknown =>
    isRecord(operation) && operation['content'] instanceof ReceivedDocument
      ? { ...operation, content: JSON.parse(operation['content'].text) as unknown }
      : operation;

  it('may be as deep and as large as in a single request', () => {
    const batch = (content: string) => `{"operations":[{"content":${content}}]}`;
    expect(() => parseBody(`{"content":${nested(63)}}`)).not.toThrow();
    expect(() => parseBatch(batch(nested(63)))).not.toThrow();
    expect(() => parseBatch(batch(nested(64)))).toThrow('nested more than 66 levels deep');
    expect(() => parseBatch(batch(`"${'x'.repeat(998)}"`), 1_000)).not.toThrow();
    expect(() => parseBatch(batch(`"${'x'.repeat(999)}"`), 1_000)).toThrow(
      'operations.0.content is larger than 1000 bytes',
    );
  });

  it('come from at most 1,000 operations', () => {
    const batch = (count: number) => `{"operations":[${'{},'.repeat(count - 1)}{}]}`;
    expect(parseBatch(batch(1_000)).operations).toHaveLength(1_000);
    const message = 'operations must be a list of 1 to 1000 operations';
    expect(() => parseBatch(batch(1_001))).toThrow(
      new DomainError('invalid', `${message}.`, [{ path: 'operations', message }]),
    );
  });

  // Only the `operations` array of the body has a limited length.
  it('may contain longer lists', () => {
    const many = JSON.stringify(Array(2_000).fill([]));
    const text = `{"a":${many},"operations":[{"content":${many}},{"operations":${many}}]}`;
    expect(contentsOf(text)).toEqual([many, undefined]);
  });

  // If the reader took quadratic time, each of these inputs would take minutes.
  it.each([
    ['arrays', '[', '[],', ']'],
    ['operations', '[', '{"content":1},', ']'],
    ['strings', '[', '"\\"content",', ']'],
    ['spaces', '[', ' ', ']'],
    ['names', '{', '"content":1,"operations":[],', '}'],
    ['escapes', '[', '"\\ud83d\\ude00\\\\u0000",', ']'],
  ])('are found quickly among many %s', (_what, open, part, close) => {
    const filler = part.repeat(1_000_000 / part.length);
    const many = `${open}${filler}${open === '{' ? '"":1' : '1'}${close}`;
    const text = `{"operations":[{"content":${many}},{"content":{"a":1}},{"content":${many}}]}`;
    expect(contentsOf(text)[1]).toBe('{"a":1}');
  });
});

describe('the fields outside the documents', () => {
  const text = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;

  it('may take up 128 KiB', () => {
    expect(() => parseBody(text(131_072))).not.toThrow();
    expect(() => parseBody(text(131_073))).toThrow(
      'The body is larger than 131072 bytes, not counting its `content`.',
    );
    expect(() => parseBody(`{"content":${text(1_000_000)}}`)).not.toThrow();
    expect(() => parseBatch(`{"operations":[{},${text(131_073)}]}`)).toThrow(
      'operations.1 is larger than 131072 bytes, not counting its `content`.',
    );
    expect(() => parseBatch(`{"operations":[${text(131_072)},${text(131_072)}]}`)).not.toThrow();
    expect(() => parseBatch(text(131_073))).toThrow('not counting its `operations`');
    const operations = Array.from({ length: 33 }, () => text(131_072));
    expect(() => parseBatch(`{"operations":[${operations.slice(1).join()}]}`)).not.toThrow();
    expect(() => parseBatch(`{"operations":[${operations.join()}]}`)).toThrow(
      'operations must not be larger than 4194304 bytes, not counting their `content`.',
    );
  });

  it('include white space', () => {
    const blanks = ' '.repeat(131_072);
    for (const each of [`{${blanks}}`, `{"a":1${blanks}}`, `{${blanks}"content":{}}`]) {
      expect(() => parseBody(each)).toThrow('larger than 131072 bytes');
      expect(() => parseBatch(`{"operations":[${each}]}`)).toThrow('larger than 131072 bytes');
    }
  });

  it('are counted twice if they occur twice', () => {
    expect(() => parseBody(`{${'"content":{},'.repeat(20_000)}"a":1}`)).toThrow('larger than');
  });
});

describe('the checked parts of a document', () => {
  const outlineOf = (content: string) =>
    (parseBody(`{"content":${content}}`)['content'] as ReceivedDocument).outline;

  it.each([
    ['[]', undefined],
    ['null', undefined],
    ['{}', {}],
    ['{"styles":[1],"stripes":{"a":[7]}}', { hasInvalidStripe: false }],
    ['{"a":{"styles":{"contentWidth":"x"}}}', {}],
    ['{"styles":{"contentWidth":6e2,"x":1,"fontFamily":["A"]}}', ['contentWidth', 'fontFamily']],
    ['{"stripes":[{},{"a":[1]}]}', { hasInvalidStripe: false }],
    ['{"stripes":[{},7,{}]}', { hasInvalidStripe: true }],
    // The last occurrence of a name counts.
    [
      '{"styles":{"contentWidth":"x"},"styles":[],"stripes":[7],"stripes":[]}',
      { hasInvalidStripe: false },
    ],
  ])('of %s are read', (content, expected) => {
    const outline = outlineOf(content);
    const actual = Array.isArray(expected) ? Object.keys(outline?.styles ?? {}) : outline;
    expect(actual).toEqual(expected);
  });

  it('keep their values, or only the type of a value that is long', () => {
    const long = 'x'.repeat(1_000);
    const styles = (value: string) => outlineOf(`{"styles":{"backgroundColor":${value}}}`)?.styles;
    expect(styles('"\\u0023fff"')).toEqual({ backgroundColor: '#fff' });
    expect(styles(`"${long}"`)).toEqual({ backgroundColor: '' });
    expect(styles('1'.repeat(1_000))).toEqual({ backgroundColor: 0 });
    expect(styles(`["${long}"]`)).toEqual({ backgroundColor: {} });
  });
});

describe('a refusal before the end of the body', () => {
  // None of these bodies is complete JSON. The reader finds another problem before it reaches the end.
  it.each([
    ['a body too deep', parseBody, '['.repeat(65), 'more than 64 levels'],
    ['a batch too deep', parseBatch, `{"operations":[${'['.repeat(65)}`, 'more than 66 levels'],
    [
      'too long a batch',
      parseBatch,
      `{"operations":[${'{},'.repeat(1_000)}{`,
      '1 to 1000 operations',
    ],
  ])('is possible for %s', (_what, parser, text, message) => {
    expect(() => parser(text)).toThrow(message);
  });

  it('happens only if a limit is exceeded', () => {
    expect(() => parseBody('['.repeat(64))).toThrow('not valid JSON');
    expect(() => parseBody(`"${'['.repeat(65)}`)).toThrow('not valid JSON');
    expect(() => parseBatch(`{"operations":[${'{},'.repeat(999)}`)).toThrow('not valid JSON');
  });
});

it('readBatchBody yields while it reads many empty operations', () => {
  const list = `"operations":[${Array(1_000).fill('{}').join()}]`;
  const text = `{${Array(1_000).fill(list).join()}}`;
  const steps = Array.from(readBatchBody(Buffer.from(text), 64, 1e7)).length;
  expect(steps).toBeGreaterThan(150);
});

describe('a body', () => {
  it('may be nested 64 levels deep', () => {
    expect(parseBody(nested(64))).toBeDefined();
    expect(() => parseBody(nested(65))).toThrow(DomainError);
    expect(() => parseBody(nested(10_000))).toThrow('nested more than 64 levels deep');
  });

  it.each([
    ['NUL', '{"a":"\\u0000"}'],
    ['NUL in a key', '{"a\\u0000":1}'],
    ['half a surrogate pair', '{"a":["\\ud83d"]}'],
    ['the other half of a surrogate pair', '{"a":{"b":"\\udc4b"}}'],
    ['halves in the wrong order', '{"a":"\\udc4b\\ud83d"}'],
    ['half a pair behind a whole one', '{"a":"\\ud83d\\udc4b\\ud83d"}'],
    ['NUL behind an escaped backslash', '{"a":"\\\\\\u0000"}'],
    ['NUL in upper-case escapes', '{"a":"\\uD83D\\uDC4B \\u0000"}'],
    ['__proto__', '{"a":{"__proto__":{}}}'],
    ['NUL in a field name of the content', '{"content":{"\\u0000":1}}'],
    ['a prototype in a constructor', '{"a":{"constructor":{"b":1,"prototype":1}}}'],
    ['the same in escapes', '{"content":{"\\u0063onstructor":{"prot\\u006ftype":1}}}'],
    ['broken JSON', '{"a":'],
  ])('with %s is refused', (_what, text) => {
    expect(() => parseBody(text)).toThrow(DomainError);
  });

  it('is refused with a message that names the actual problem', () => {
    expect(() => parseBody('{"a":{"__proto__":{}}}')).toThrow('a `__proto__` field');
    expect(() => parseBody('forbidden prototype')).toThrow('not valid JSON');
  });

  it('with escaped backslashes, complete surrogate pairs and null is accepted', () => {
    const text = '{"a":"\\\\u0000 \\ud83d\\udc4b","b":[null,{"c":"\\ud83d\\udc4b"}]}';
    expect(parseBody(text)).toEqual(JSON.parse(text));
  });

  it('with a prototype after a constructor, but not inside it, is accepted', () => {
    const list = '[{"constructor":1},{"prototype":1}]';
    expect(parseBody(`{"a":${list}}`)).toEqual({ a: JSON.parse(list) as unknown });
    expect(parseBatch(`{"operations":${list}}`).operations).toHaveLength(2);
    expect(contentOf(`{"content":{"stripes":${list}}}`)).toBe(`{"stripes":${list}}`);
  });

  it('that is not UTF-8 is refused', () => {
    expect(() => parseBody(Buffer.from([0x22, 0xff, 0x22]))).toThrow('UTF-8');
  });
});
