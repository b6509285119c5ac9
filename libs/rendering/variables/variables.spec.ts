import { expect, it } from '@jest/globals';
import { defaultsIn, hasDefault, isDeclared, schemaProblemIn, withDefaults } from './index.js';
import types from './typescript.js';
import validate from './validate.js';

const SCHEMA = {
  type: 'object',
  required: ['order'],
  properties: {
    user: { $ref: '#/$defs/Person' },
    order: {
      type: 'object',
      properties: {
        lines: {
          type: 'array',
          items: { type: 'object', properties: { price: { type: 'number', default: 0 } } },
        },
        currency: { default: 'EUR' },
      },
    },
  },
  $defs: {
    Person: {
      type: 'object',
      properties: {
        name: { type: 'string', default: 'friend' },
        boss: { $ref: '#/$defs/Person' },
      },
    },
  },
};
const contentWith = (variables: unknown) => JSON.stringify({ stripes: [], variables });

it.each<[string, boolean]>([
  ['user.name', true],
  ['user.boss.boss.name', true],
  ['user.surname', false],
  ['order.lines', true],
  ['order.lines[].price', true],
  ['order.lines[].weight', false],
  ['other', false],
])('%s is declared: %s', (name, expected) => {
  expect(isDeclared(SCHEMA, name)).toBe(expected);
});

it.each<object>([
  { additionalProperties: true },
  { additionalProperties: { type: 'string' } },
  { allOf: [{ properties: { a: {} } }] },
  { patternProperties: { '^a': {} } },
])('any variable may be declared by a schema with %j', (more) => {
  expect(isDeclared({ type: 'object', properties: { b: {} }, ...more }, 'a')).toBe(true);
});

it('defaults are used where the data has no value, also in objects that are missing and in items of lists', () => {
  const defaults = defaultsIn(SCHEMA) ?? {};
  const data = { order: { lines: [{}, { price: 3 }, { price: null }] }, other: 1 };
  const before = structuredClone(data);
  expect(withDefaults(data, defaults)).toEqual({
    // A person has a boss, whose name has a default, as far as Galley follows the reference.
    user: expect.objectContaining({ name: 'friend' }),
    order: { currency: 'EUR', lines: [{ price: 0 }, { price: 3 }, { price: 0 }] },
    other: 1,
  });
  expect(data).toEqual(before);
  expect(withDefaults({ user: 'Ada', order: [] }, defaults)).toEqual({ user: 'Ada', order: [] });
});

it('knows which variables have a default', () => {
  const defaults = defaultsIn(SCHEMA);
  const names = ['user.name', 'order.lines[].price', 'order.lines', 'order.currency', 'other'];
  expect(names.filter((name) => hasDefault(defaults, name))).toEqual([
    'user.name',
    'order.lines[].price',
    'order.currency',
  ]);
});

it('reads at most 1,000 defaults of a schema whose definitions refer to each other', () => {
  const branch = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/B' }, b: { $ref: '#/$defs/B' }, n: { default: 1 } },
  };
  const schema = { type: 'object', properties: { root: branch }, $defs: { B: branch } };
  const size = JSON.stringify(defaultsIn(schema)).length;
  expect(size).toBeLessThan(100_000);
});

it.each<[unknown, string]>([
  [[], '/variables must be a JSON Schema, which is an object.'],
  [{}, '/variables must have "type": "object", because `data` is an object.'],
  [
    { type: 'object', properties: { a: { type: 'text' } } },
    '/variables/properties/a/type must be one of object, array, string, number, integer, boolean, null.',
  ],
  [
    { type: 'object', properties: { a: 7 } },
    '/variables/properties/a must be a schema: an object, true or false.',
  ],
  [
    { type: 'object', properties: [] },
    '/variables/properties must be a schema: an object, true or false.',
  ],
  [{ type: 'object', required: 'a' }, '/variables/required must be a list of names.'],
  [
    { type: 'object', properties: { a: { pattern: '(' } } },
    '/variables/properties/a/pattern must be a regular expression.',
  ],
  [
    { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } },
    '/variables/properties/a/$ref must name a definition in `variables`, such as #/$defs/Address.',
  ],
  [{ type: 'object', anyOf: [{ enum: 7 }] }, '/variables/anyOf/0/enum must be a list of values.'],
])('refuses %j as a declaration', (variables, message) => {
  expect(schemaProblemIn({ variables })?.join(' ')).toBe(message);
  expect(validate({ content: contentWith(variables), data: {} })).toEqual({ reason: message });
  expect(types({ content: contentWith(variables) })).toEqual({ reason: message });
});

it('names the place of each problem, and not the objects around it', () => {
  const schema = {
    ...SCHEMA,
    additionalProperties: false,
    properties: { ...SCHEMA.properties, size: { enum: ['S', 'L'] }, 'a/b': { type: 'integer' } },
  };
  const data = { order: { lines: [{ price: 'x' }] }, size: 'XL', 'a/b': 1.5, extra: 1 };
  expect(validate({ content: contentWith(schema), data })).toEqual({
    problems: [
      { path: 'data/order/lines/0/price', message: 'must be of the type number, not string' },
      { path: 'data/size', message: 'Instance does not match any of ["S","L"].' },
      { path: 'data/a~1b', message: 'must be of the type integer, not number' },
      { path: 'data/extra', message: 'is not a declared variable' },
    ],
  });
  const empty = { type: 'object', required: ['order'] };
  expect(validate({ content: contentWith(empty) })).toEqual({
    problems: [{ path: 'data/order', message: 'is missing' }],
  });
  expect(validate({ content: '{}', data })).toEqual({ problems: [] });
});

it('writes types that TypeScript accepts, whatever the names and descriptions are', () => {
  const variables = {
    type: 'object',
    required: ['a-b'],
    properties: {
      'a-b': { description: 'Ends */ here', enum: ['x', 1, null] },
      __proto__x: { anyOf: [{ type: 'string' }, { type: ['number', 'null'] }] },
      list: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
      person: { $ref: '#/$defs/P' },
    },
    $defs: { P: { type: 'object', properties: { name: {}, boss: { $ref: '#/$defs/P' } } } },
  };
  const result = types({ content: contentWith(variables) });
  expect(result).toMatchObject({
    types: expect.stringContaining(`export type Data = {
  /** Ends * / here */
  "a-b": "x" | 1 | null;
  __proto__x?: string | number | null;
  list?: Array<string | number>;
  person?: {
    name?: unknown;
`),
  });
  expect(types({ content: '{}' })).toEqual({
    types: 'export type Data = Record<string, unknown>;\n',
  });
});
