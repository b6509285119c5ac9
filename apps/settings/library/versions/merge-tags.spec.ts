import { expect, it } from '@jest/globals';
import { mergeTags } from './merge-tags.js';

it.each([
  ['without another change', ['a', 'b'], ['a', 'b'], ['b', 'c'], ['b', 'c']],
  ['beside an addition of somebody else', ['a', 'x'], ['a'], ['a', 'c'], ['a', 'x', 'c']],
  ['beside a removal of somebody else', ['b'], ['a', 'b'], ['a', 'b', 'c'], ['b', 'c']],
  ['with the same addition', ['a', 'c'], ['a'], ['a', 'c'], ['a', 'c']],
])('merges tags %s', (_, current, before, after, merged) => {
  expect(mergeTags(current, before, after)).toEqual(merged);
});
