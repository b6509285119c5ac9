import { expect, it } from '@jest/globals';
import { toJsonRows } from '../document/json-rows.js';
import { describePlace, rowPathOf, valueAt } from './pointers.js';

const content = { stripes: [{ id: 's1', 'a/b': { '~': 1 } }] };

it.each([
  ['', content],
  ['/stripes/0/id', 's1'],
  ['/stripes/0/a~1b/~0', 1],
  ['/stripes/1/id', undefined],
  ['/stripes/0/toString', undefined],
  [null, undefined],
])('the value at %j is %j', (pointer, value) => {
  expect(valueAt(content, pointer)).toEqual(value);
});

it.each([
  ['', ''],
  ['/stripes/0', 'stripes 1'],
  ['/stripes/0/containers/1/blocks/2', 'stripes 1 › containers 2 › blocks 3'],
  ['/rows/0/1', 'rows 1 2'],
])('the place %j is described as %j', (pointer, place) => {
  expect(describePlace(pointer)).toBe(place);
});

const tree = { name: 'a', stripes: [{ id: 's1' }, { id: 's2', 'a/b': [1] }] };

it.each([
  ['', undefined],
  ['/stripes/1', undefined],
  ['/stripes/1/a~1b', 'a/b'],
])('finds the line of %j', (pointer, key) => {
  const rows = toJsonRows(tree, () => true);
  const row = rows.find(({ path }) => path === rowPathOf(tree, pointer));
  expect(row?.key).toBe(key);
  expect(row?.depth).toBe(pointer.split('/').length - 1);
});

it.each(['/stripes/2', '/none', '/name/0'])('%j has no line', (pointer) => {
  expect(rowPathOf(tree, pointer)).toBeUndefined();
});
