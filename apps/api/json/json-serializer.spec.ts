import { expect, it } from '@jest/globals';
import { JsonText } from '#json';
import fc from 'fast-check';
import { serializeJson } from './json-serializer.js';

it('inserts documents unchanged', () => {
  const content = new JsonText('{ "2": 1.0, "1": 1E400 }');
  expect(serializeJson({ data: [{ id: 'x', content }] })).toBe(
    '{"data":[{"id":"x","content":{ "2": 1.0, "1": 1E400 }}]}',
  );
});

it('inserts documents as the bytes that were received', () => {
  const content = new JsonText(Buffer.from('{"greeting":"Grüße 👋"}'));
  const response = serializeJson({ name: 'Größe', content, version: 1 });
  expect(response.toString()).toBe(
    '{"name":"Größe","content":{"greeting":"Grüße 👋"},"version":1}',
  );
});

it('serialises everything else like JSON.stringify', () => {
  const at = new Date('2026-11-21T09:30:00Z');
  const value = {
    at,
    none: undefined,
    list: [1, 'two', null, { three: true }],
    'a "key"': '\u2028',
  };
  expect(serializeJson(value)).toBe(JSON.stringify(value));
  fc.assert(
    fc.property(
      fc.jsonValue(),
      (jsonValue) => serializeJson(jsonValue) === JSON.stringify(jsonValue),
    ),
  );
});
