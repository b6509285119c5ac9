import { expect, it } from '@jest/globals';
import { declarationIn, defaultsIn, hasDefault, isDeclared, withDefaults } from './index.js';
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

it('reads the defaults that are nested least, if the definitions of a schema refer to each other', () => {
  const branch = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/B' }, b: { $ref: '#/$defs/B' }, n: { default: 1 } },
  };
  const schema = {
    type: 'object',
    properties: { root: branch, greeting: { default: 'Hi' } },
    $defs: { B: branch },
  };
  const defaults = defaultsIn(schema);
  expect(defaults?.properties?.['greeting']).toEqual({ value: 'Hi' });
  expect(defaults?.properties?.['root']?.properties?.['n']).toEqual({ value: 1 });
  expect(JSON.stringify(defaults).length).toBeLessThan(200_000);
});

it('refuses data that defaults would make too large', () => {
  let schema: object = { default: 1 };
  for (let depth = 0; depth < 5; depth++) {
    schema = { type: 'array', default: Array<null>(200).fill(null), items: schema };
  }
  const variables = { type: 'object', properties: { a: schema } };
  const message = 'The defaults of the variables would fill in more than 100,000 values.';
  expect(() => withDefaults({}, defaultsIn(variables) ?? {})).toThrow(
    expect.objectContaining({ details: [{ path: 'data', message }] }),
  );
  const { problems } = validate({ content: contentWith(variables), data: {} }) as {
    problems: object[];
  };
  expect(problems).toHaveLength(1);
});

it.each<[object, object]>([
  [{ allOf: [{ $ref: '#' }] }, {}],
  [{ properties: { a: { $ref: '#/properties/a' } } }, { a: 1 }],
  [
    { properties: { l: { type: 'array', items: { type: 'string' } } } },
    { l: Array(200_000).fill(1) },
  ],
])('%j has a problem instead of an error', (schema, data) => {
  const result = validate({ content: contentWith({ type: 'object', ...schema }), data });
  expect(result).toEqual({
    problems: [
      {
        path: 'data',
        message: 'has too many problems, or the variables refer to themselves without end',
      },
    ],
  });
});

it.each<object>([
  { $id: 'http://[', properties: { a: { example: { id: '1' } }, b: { example: { id: '1' } } } },
  { $defs: { A: { $id: 'https://a.example/', $ref: '#/$defs/B' }, B: {} } },
  { dependentRequired: { a: 5 }, unevaluatedProperties: 7 },
])('ignores the other keywords of %j', (schema) => {
  const content = contentWith({ type: 'object', ...schema });
  expect(validate({ content, data: { a: 1, b: 2 } })).toEqual({ problems: [] });
});

it('cuts long messages', () => {
  const values = Array.from({ length: 20_000 }, (_, index) => `value ${index}`);
  const schema = { type: 'object', properties: { ['n'.repeat(500)]: { enum: values } } };
  const content = contentWith(schema);
  const result = validate({ content, data: { ['n'.repeat(500)]: 1 } });
  expect(JSON.stringify(result).length).toBeLessThan(700);
  expect(JSON.stringify(result)).toContain('and 19995 more values');
});

it('writes a bounded number of types, if a schema branches without end', () => {
  const self = { $ref: '#/properties/a' };
  const a = { type: ['array', 'array', 'array'], items: self, anyOf: [self, self, self] };
  const result = types({ content: contentWith({ type: 'object', properties: { a } }) });
  expect(JSON.stringify(result).length).toBeLessThan(200_000);
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
  [
    { type: 'object', patternProperties: { '(': {} } },
    '/variables/patternProperties must have regular expressions as names.',
  ],
  [
    { type: 'object', default: {}, properties: { a: { $ref: '#/default/x' } } },
    '/variables/properties/a/$ref must name a definition in `variables`, such as #/$defs/Address.',
  ],
  [{ type: 'object', anyOf: [{ enum: 7 }] }, '/variables/anyOf/0/enum must be a list of values.'],
])('refuses %j as a declaration', (variables, message) => {
  expect(declarationIn({ variables }).problem?.join(' ')).toBe(message);
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
      { path: 'data/size', message: 'must be one of "S", "L"' },
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
