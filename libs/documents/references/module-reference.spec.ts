import { expect, it } from '@jest/globals';
import type { DomainError } from '#errors';
import { JsonText } from '#json';
import { readReferences } from './module-reference.js';

/** The error for a document with these blocks; undefined if Galley accepts the document. */
const refusalOf = (blocks: string, name = 'box') =>
  readReferences(new JsonText(`{"${name}":{"blocks":[${blocks}]}}`)).then(
    () => undefined,
    (error: unknown) => error as DomainError,
  );

it('reports only a few of many malformed references, with shortened paths', async () => {
  const malformed = '{"type":"module","moduleId":"x"}';
  const refusal = await refusalOf(Array(10_000).fill(malformed).join(','), '😀'.repeat(100_000));
  expect(refusal?.details).toHaveLength(20);
  expect(JSON.stringify(refusal?.details).length).toBeLessThan(20_000);
  // PostgreSQL cannot store half of a surrogate pair.
  expect(refusal?.message.isWellFormed()).toBe(true);
});

const MODULE_ID = '01936f61-2e5a-7c08-9b7f-c4d1e8a03562';
const refer = (members: string) => `{"type":"module","moduleId":"${MODULE_ID}"${members}}`;

it('refuses more than 1,000 different references, and counts equal ones only once', async () => {
  const pins = (count: number) =>
    Array.from({ length: count }, (_, index) => refer(`,"version":${index + 1}`)).join(',');
  expect(await refusalOf(`${pins(1_000)},${pins(1_000)}`)).toBeUndefined();
  expect((await refusalOf(pins(1_001)))?.details).toEqual([
    { path: 'content', message: 'content must not use more than 1000 modules' },
  ]);
});

it.each([
  '2026-11-21T09:30:00Z',
  '2026-11-21T09:30Z',
  '2026-11-21T10:30:00.123456+01:00',
  // Galley takes such times from PostgreSQL's clock, which may be ahead of the clock of this process.
  new Date(Date.now() + 5_000).toISOString(),
])('accepts the time %s', async (time) => {
  expect(await refusalOf(refer(`,"version":1,"asOf":"${time}"`))).toBeUndefined();
});

it.each([
  '0000-01-01T00:00:00Z',
  '+010000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  'banana 5',
  '1',
  '2026',
  '2026-02-30T00:00:00Z',
  '2026-11-21T09:30:00',
  '2019-12-31T23:59:59Z',
])('refuses the time %s', async (time) => {
  const refusal = await refusalOf(refer(`,"version":1,"asOf":"${time}"`));
  expect(refusal?.message).toContain('must have a time such as');
});

it.each(['2099-01-01T00:00:00Z', new Date(Date.now() + 90_000).toISOString()])(
  'refuses the time %s, which is in the future',
  async (time) => {
    const refusal = await refusalOf(refer(`,"version":1,"asOf":"${time}"`));
    expect(refusal?.message).toContain('must not have an asOf in the future');
  },
);

it.each([
  ['a version that is an object', refer(',"version":{"a":1}')],
  ['a version that is an array', refer(',"version":[1]')],
  ['a version that is null', refer(',"version":null')],
  ['a time that is an object', refer(',"version":1,"asOf":{}')],
  ['a time that is an array', refer(',"version":1,"asOf":[]')],
  ['a time without a version', refer(',"asOf":"2026-11-21T09:30:00Z"')],
  ['an id that is an object', '{"type":"module","moduleId":{}}'],
  ['a second version', refer(',"version":2,"version":1')],
  ['a second version that is an object', refer(',"version":1,"version":{}')],
  ['a second type', refer(',"type":"text"')],
  ['a second type that is an array', refer(',"type":[]')],
  ['a second id', refer(`,"moduleId":"${MODULE_ID}"`)],
])('refuses %s', async (_name, reference) => {
  expect((await refusalOf(reference))?.details).toMatchObject([{ path: 'content.box.blocks.0' }]);
});
