import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#errors';
import fc from 'fast-check';
import { readBatchBody, readBody } from './json-body.js';
import { JsonReader } from './json-reader.js';

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

describe('the reader', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
      : 0;

  it('measures the depth of any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/__proto__|constructor|\\u/.test(text));
        const depth = depthOf(JSON.parse(text));
        expect(() => parseBody(text, depth)).not.toThrow();
        if (depth > 0) expect(() => parseBody(text, depth - 1)).toThrow('levels deep');
      }),
    );
  });

  const token = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    ' ',
    '\t',
    '\\',
    '1',
    '0',
    '-',
    '-0',
    '1.5',
    '.',
    'e',
    '1e5',
    '2E-7',
    '+',
    'true',
    'null',
    'false',
    'nul',
    '"a"',
    '"a":',
    '"\\n"',
    '"\\u00e9"',
    '"\\ud83d\\ude00"',
    '\\u00',
    '"\\q"',
    '\u0001',
    '"é"',
    '"operations":[',
    '{"content":',
    '"\\u0063ontent":',
    '"styles":{',
    '"stripes":[',
  );
  const tokenSequence = fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(''));
  // Valid JSON in which a token is inserted, or replaces one or two characters.
  const nearlyJson = fc
    .tuple(fc.json(), fc.nat(), fc.nat({ max: 2 }), token)
    .map(([json, seed, length, insertedToken]) => {
      const offset = seed % (json.length + 1);
      return json.slice(0, offset) + insertedToken + json.slice(offset + length);
    });

  it.each([
    ['tokens', tokenSequence],
    ['broken JSON', nearlyJson],
    ['JSON', fc.json()],
  ])('accepts the same %s as JSON.parse', (_what, texts) => {
    const isRefused = (read: () => unknown) => {
      try {
        read();
        return false;
      } catch {
        return true;
      }
    };
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(text !== '' && text.isWellFormed());
        fc.pre(!/__proto__|constructor|\\u0000|\\u[dD][89a-fA-F]/.test(text));
        // A text such as `0,"a":1` is not JSON by itself, but is valid within an object.
        for (const json of [text, `{"content":${text}}`]) {
          const expected = isRefused(() => JSON.parse(json));
          expect([json, isRefused(() => parseBody(json))]).toEqual([json, expected]);
        }
        const batch = `{"operations":[${text}]}`;
        if (!text.includes(',') && text.trim() !== '') {
          const expected = isRefused(() => JSON.parse(batch));
          expect([batch, isRefused(() => parseBatch(batch))]).toEqual([batch, expected]);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('terminates for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const reader = new JsonReader(Buffer.from(bytes), 64);
        try {
          runToEnd(reader.skip());
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
        }
      }),
    );
  });

  // If the reader took quadratic time, each of these inputs would take minutes.
  it.each([
    ['escaped names', '{', '"\\u006f\\u0070erationz":1,', '"":1}'],
    ['closed brackets', '[', '[],', '1]'],
    ['commas and spaces', '[', ' 1 ,', '1]'],
    ['names that the reader checks', '{', '"constructor":{"a":1},', '"":1}'],
    ['styles', '{', '"styles":{},"stripes":[],', '"":1}'],
  ])('reads many %s quickly, and yields in between', (_what, open, part, close) => {
    const text = `{"content":${open}${part.repeat(4_000_000 / part.length)}${close}}`;
    const steps = Array.from(readBody(Buffer.from(text), 64)).length;
    // The reader yields every 16 KiB.
    expect(steps).toBeGreaterThan(200);
  });
});
