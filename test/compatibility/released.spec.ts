import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import type { OpenApi } from '../support/api/openapi.js';
import { breakingChanges } from './breaking-changes.js';
import { findUndocumentedChanges } from './changelog.js';
import { findEarlyRemovals } from './sunset.js';

type Document = OpenApi & { info: { version: string } };

const documentIn = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as Document;
const released = await documentIn('openapi.released.json');
const current = await documentIn('openapi.json');
const changelog = await readFile('CHANGELOG.md', 'utf8');

it('CHANGELOG.md names all breaking changes of openapi.json (see docs/use/api-changes.md)', () => {
  const changes = breakingChanges(released, current);
  expect(findUndocumentedChanges(changes, changelog)).toEqual([]);
});

it('no operation is removed before its Sunset', () => {
  expect(findEarlyRemovals(released, current, new Date())).toEqual([]);
});

it('all files with a version have the same version (see CONTRIBUTING.md)', async () => {
  const { version } = released.info;
  for (const path of ['package.json', 'libs/client/package.json']) {
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ version });
  }
  expect(/^## \[(\d.*)\] - \d{4}-\d\d-\d\d$/m.exec(changelog)?.[1]).toBe(version);
});
