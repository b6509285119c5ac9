import { expect, it } from '@jest/globals';
import { sampleValues } from './sample-values.js';

it.each([
  [[], {}],
  [['name'], { name: 'name' }],
  [['tags', 'tags[]'], { tags: ['tags', 'tags'] }],
  [['user', 'user.name', 'user.plan'], { user: { name: 'name', plan: 'plan' } }],
  [
    ['order.lines', 'order.lines[].name', 'order.lines[].tags[].x', 'order.total'],
    {
      order: {
        lines: [
          { name: 'name', tags: [{ x: 'x' }, { x: 'x' }] },
          { name: 'name', tags: [{ x: 'x' }, { x: 'x' }] },
        ],
        total: 'total',
      },
    },
  ],
])('creates sample values for %s', (variables, expected) => {
  expect(sampleValues(variables, {})).toEqual(expected);
});

it('creates numbers and dates for filters that require them', () => {
  const content = { text: '{{ line.price | currency: "EUR" }} {{at|date}} {{name | upcase}}' };
  expect(sampleValues(['lines[].price', 'at', 'name'], content)).toEqual({
    lines: [{ price: 19.9 }, { price: 19.9 }],
    at: '2026-03-01T12:00:00Z',
    name: 'name',
  });
});

it('a variable cannot pollute the prototype of objects', () => {
  sampleValues(['__proto__.polluted'], {});
  expect('polluted' in {}).toBe(false);
});
