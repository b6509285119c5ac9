import { expect, it } from '@jest/globals';
import {
  comparedVersions,
  parseDocumentSearch,
  parseLibrarySearch,
  parseModuleCompareSearch,
  parseModuleSearch,
  parseQuerySearch,
  parseTemplateCompareSearch,
  parseTemplateSearch,
  versionOf,
} from './library-search.js';

const ID = '01936f61-2e5a-7c08-9b7f-c4d1e8a03562';

it.each([
  [{}, {}],
  [
    { search: 'welcome', sort: 'name' },
    { search: 'welcome', sort: 'name' },
  ],
  [{ search: 2026 }, { search: '2026' }],
  [{ search: '', sort: 'size' }, {}],
  [{ sort: '-updatedAt' }, {}],
  [{ search: 'x'.repeat(300) }, { search: 'x'.repeat(255) }],
  [{ category: 'footer' }, {}],
  [
    { tags: 'sale, 2026,sale,', tagsMatch: 'any' },
    { tags: 'sale,2026', tagsMatch: 'any' },
  ],
  [{ tags: 2026, tagsMatch: 'any' }, { tags: '2026' }],
  [{ tags: `${'x'.repeat(51)},sale`, tagsMatch: 'all' }, { tags: 'sale' }],
  [{ tags: ',' }, {}],
  [
    { updatedBy: ID, moduleId: ID.toUpperCase() },
    { updatedBy: ID, moduleId: ID.toUpperCase() },
  ],
  [{ updatedBy: 'ada', moduleId: 7 }, {}],
])('the filters %j are parsed as %j', (input, expected) => {
  expect(parseLibrarySearch(input)).toEqual(expected);
});

it.each([
  [
    { search: 'a', published: false, environment: 'production' },
    { search: 'a', published: false, environment: 'production' },
  ],
  [{ published: true }, {}],
  [{ environment: 'production' }, {}],
  [{ published: 'yes', environment: 'production' }, {}],
  [{ published: true, environment: 'No name' }, {}],
])('the template filters %j are parsed as %j', (input, expected) => {
  expect(parseTemplateSearch(input)).toEqual(expected);
});

it('modules can also be filtered by category', () => {
  expect(parseModuleSearch({ search: 'a', category: 'footer' })).toEqual({
    search: 'a',
    category: 'footer',
  });
});

it.each([
  [
    { expand: 'modules', label: 'approved' },
    { expand: 'modules', label: 'approved' },
  ],
  [{ expand: 'all', label: 2026 }, { label: '2026' }],
  [{ from: 1, to: 2 }, {}],
])('the document parameters %j are parsed as %j', (input, expected) => {
  expect(parseDocumentSearch(input)).toEqual(expected);
});

it.each([
  [
    { from: 1, to: 2 },
    { from: 1, to: 2 },
  ],
  [{ from: 0, to: 1.5 }, {}],
  [{ from: 'Version 1' }, {}],
])('the compared versions %j are parsed as %j', (input, expected) => {
  expect(parseTemplateCompareSearch(input)).toEqual(expected);
  expect(parseModuleCompareSearch(input)).toEqual(expected);
});

it('only template versions can be identified by an environment', () => {
  const search = { from: 'production', to: '2026' };
  expect(parseTemplateCompareSearch(search)).toEqual(search);
  expect(parseModuleCompareSearch(search)).toEqual({});
});

it.each([
  [
    { query: 'warm bread', kind: 'module' },
    { query: 'warm bread', kind: 'module' },
  ],
  [{ query: 2026, kind: 'webhook' }, { query: '2026' }],
  [{ query: ' ' }, {}],
])('the search %j is parsed as %j', (input, expected) => {
  expect(parseQuerySearch(input)).toEqual(expected);
});

it.each([
  [{}, 7, { from: 6, to: 7 }],
  [{}, 1, { from: 1, to: 1 }],
  [{ to: 3 }, 7, { from: 2, to: 3 }],
  [{ from: 5 }, 7, { from: 5, to: 7 }],
  [{ from: 5, to: 2 }, 7, { from: 5, to: 2 }],
  [{ from: 'production' }, 7, { from: 'production', to: 7 }],
  [{ to: 'production' }, 7, { from: 6, to: 'production' }],
])('%j with the latest version %d compares %j', (search, latest, compared) => {
  expect(comparedVersions(search, latest)).toEqual(compared);
});

it.each([
  [3, 3],
  ['production', 2],
  ['staging', undefined],
  ['gone', undefined],
])('%j resolves to version %s', (side, version) => {
  const production = { environment: 'production', published: { version: 2 } };
  expect(versionOf(side, [production, { environment: 'staging' }])).toBe(version);
});
