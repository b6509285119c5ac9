import { expect, it } from '@jest/globals';
import { hasReference, referenceOf } from './references.js';

it.each([
  [
    { type: 'module', moduleId: 'a' },
    { id: 'a', isPinned: false },
  ],
  [
    { type: 'module', moduleId: 'a', version: 2 },
    { id: 'a', isPinned: true, version: 2 },
  ],
  [
    { $module: { id: 'a', name: 'Footer', version: 3, pinned: false }, type: 'stripe' },
    { id: 'a', name: 'Footer', isPinned: false, version: 3 },
  ],
  [
    { $module: { id: 'a', problem: 'not_found' }, type: 'stripe' },
    { id: 'a', isPinned: false, problem: 'not_found' },
  ],
  [{ type: 'text', moduleId: 'a' }, undefined],
  [{ type: 'module', moduleId: 1 }, undefined],
  ['module', undefined],
  [null, undefined],
])('the reference of %j is %j', (value, reference) => {
  expect(referenceOf(value)).toEqual(reference);
});

it('references are found at every depth', () => {
  const reference = { type: 'module', moduleId: 'a' };
  expect(hasReference({ stripes: [{ containers: [{ blocks: [reference] }] }] })).toBe(true);
  expect(hasReference({ stripes: [{ type: 'stripe' }], name: 'a' })).toBe(false);
});
