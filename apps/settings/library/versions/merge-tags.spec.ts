import { expect, it } from '@jest/globals';
import { mergeTags } from './merge-tags.js';

it.each([
  ['without other changes', ['a', 'b'], ['a', 'b'], ['b', 'c'], ['b', 'c']],
  ['with another user’s addition', ['a', 'x'], ['a'], ['a', 'c'], ['a', 'x', 'c']],
  ['with another user’s removal', ['b'], ['a', 'b'], ['a', 'b', 'c'], ['b', 'c']],
  ['with the same addition by both users', ['a', 'c'], ['a'], ['a', 'c'], ['a', 'c']],
])('merges tags %s', (_, current, before, after, merged) => {
  expect(mergeTags(current, before, after)).toEqual(merged);
});
