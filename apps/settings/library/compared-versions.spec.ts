import { expect, it } from '@jest/globals';
import { comparedVersions, versionOf } from './compared-versions.js';

it.each([
  [{}, 7, { from: 6, to: 7 }],
  [{}, 1, { from: 1, to: 1 }],
  [{ to: 3 }, 7, { from: 2, to: 3 }],
  [{ from: 5 }, 7, { from: 5, to: 7 }],
  [{ from: 5, to: 2 }, 7, { from: 5, to: 2 }],
  [{ from: 'production' }, 7, { from: 'production', to: 7 }],
  [{ to: 'production' }, 7, { from: 6, to: 'production' }],
])('%j of %d versions compares %j', (search, latest, compared) => {
  expect(comparedVersions(search, latest)).toEqual(compared);
});

it.each([
  [3, 3],
  ['production', 2],
  ['staging', undefined],
  ['gone', undefined],
])('%j is version %s', (side, version) => {
  const production = { environment: 'production', published: { version: 2 } };
  expect(versionOf(side, [production, { environment: 'staging' }])).toBe(version);
});
