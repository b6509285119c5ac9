import { expect, it } from '@jest/globals';
import compareVariables from './breaking-changes.js';

const changesOf = (before: unknown, after: unknown) => {
  const withVariables = (variables: unknown) => JSON.stringify({ stripes: [], variables });
  const { changes } = compareVariables({
    content: withVariables(after),
    before: withVariables(before),
  });
  return changes.map(({ path, message }) => `${path} ${message}`);
};
const objectOf = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  ...more,
});
const one = (schema: object, more: object = {}) => objectOf({ a: schema }, more);
const required = { required: ['a'] };

it.each<[string, unknown, unknown]>([
  ['no declaration any more', one({ type: 'string' }, required), undefined],
  ['a new variable', one({}), objectOf({ a: {}, b: { type: 'string' } })],
  ['a new required variable with a default', objectOf({}), one({ default: 1 }, required)],
  ['a variable that is no longer required', one({}, required), one({})],
  ['a wider type', one({ type: 'integer' }), one({ type: ['number', 'null'] })],
  ['more values', one({ enum: [1] }), one({ enum: [1, 2] })],
  ['a constant that became one of several values', one({ const: 1 }), one({ enum: [1, 2] })],
  ['looser bounds', one({ minimum: 2, maxLength: 3 }), one({ minimum: 1, maxLength: 4 })],
  ['another description', one({ description: 'x' }), one({ description: 'y' })],
  ['the same pattern', one({ pattern: 'x' }), one({ pattern: 'x' })],
  ['a removed variable', objectOf({ a: {}, b: {} }), one({})],
])('%s breaks nothing', (_name, before, after) => {
  expect(changesOf(before, after)).toEqual([]);
});

it.each<[unknown, unknown, string[]]>([
  [undefined, one({}, required), ['data/a is required now']],
  [one({ default: 1 }, required), one({}, required), ['data/a is required now']],
  [one({}), one({ type: 'string' }), ['data/a must be of the type string now']],
  [
    one({ type: 'number' }),
    one({ type: ['integer', 'string'] }),
    ['data/a must be of the type integer or string now'],
  ],
  [one({ enum: [1, 2] }), one({ enum: [1] }), ['data/a accepts fewer values now']],
  [one({}), one({ const: 1 }), ['data/a accepts fewer values now']],
  [one({ minimum: 1 }), one({ minimum: 2 }), ['data/a has the minimum 2 now']],
  [one({}), one({ maxItems: 3 }), ['data/a has the maxItems 3 now']],
  [one({ pattern: 'x' }), one({ pattern: 'y' }), ['data/a has another `pattern` now']],
  [
    objectOf({ a: {}, b: {} }),
    one({}, { additionalProperties: false }),
    ['data accepts only declared variables now', 'data/b is no longer a declared variable'],
  ],
  [
    one({ type: 'array', items: objectOf({ b: {} }) }),
    one({ type: 'array', items: objectOf({ b: {} }, { required: ['b'] }) }),
    ['data/a/*/b is required now'],
  ],
  [
    one({ $ref: '#/$defs/A' }, { $defs: { A: { type: 'string' } } }),
    one({ $ref: '#/$defs/B' }, { $defs: { B: { type: 'number' } } }),
    ['data/a must be of the type number now'],
  ],
])('finds the breaking changes from %j to %j', (before, after, changes) => {
  expect(changesOf(before, after)).toEqual(changes);
});

it('ends with a schema that refers to itself', () => {
  const tree = (more: object) => ({
    ...objectOf({ a: { $ref: '#' }, b: { $ref: '#' } }),
    ...more,
  });
  expect(changesOf(tree({}), tree(required)).length).toBeLessThanOrEqual(100);
});
