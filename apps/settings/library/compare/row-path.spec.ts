import { expect, it } from '@jest/globals';
import { rowsOf } from '../document/json-rows.js';
import { rowPathOf } from './row-path.js';

const content = { name: 'a', stripes: [{ id: 's1' }, { id: 's2', 'a/b': [1] }] };

it.each([
  ['', undefined],
  ['/stripes/1', undefined],
  ['/stripes/1/a~1b', 'a/b'],
])('the path of %j is that of the line', (pointer, key) => {
  const rows = rowsOf(content, () => true);
  const row = rows.find(({ path }) => path === rowPathOf(content, pointer));
  expect(row?.key).toBe(key);
  expect(row?.depth).toBe(pointer.split('/').length - 1);
});

it.each(['/stripes/2', '/none', '/name/0'])('%j is no line', (pointer) => {
  expect(rowPathOf(content, pointer)).toBeUndefined();
});
