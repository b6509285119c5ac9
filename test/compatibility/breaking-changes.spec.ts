import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import type { OpenApi } from '../support/api/openapi.js';
import { breakingChanges } from './breaking-changes.js';
import { findUndocumentedChanges } from './changelog.js';
import { edit, GONE, type Edit } from './edits.js';
import { breaking, harmless } from './planted-changes.js';
import { findEarlyRemovals } from './sunset.js';

const text = await readFile('openapi.released.json', 'utf8');
const released = JSON.parse(text) as OpenApi;
const compact = JSON.stringify(released);

function changesAfter(...edits: Edit[]): string[] {
  const changed = JSON.parse(text) as OpenApi;
  for (const each of edits) edit(changed, each);
  expect(JSON.stringify(changed)).not.toBe(compact);
  return breakingChanges(released, changed);
}

const changelog = (...items: string[]) => `# Changelog

## [Unreleased]

### Added

- \`response-removed Template.added\`: not under Breaking.

### Breaking

${items.join('\n')}

### Fixed

## [0.1.0] - 2026-11-22

### Breaking

- \`response-removed Template.released\`: released already.
`;

describe('of two documents', () => {
  it('equal ones break nothing', () => {
    expect(breakingChanges(released, JSON.parse(text) as OpenApi)).toEqual([]);
  });

  it.each(breaking)('%s is refused until the changelog names it', (change, ...edits) => {
    const changes = changesAfter(...edits);
    expect(findUndocumentedChanges(changes, changelog())).toContain(
      `CHANGELOG.md does not name \`${change}\` under Unreleased, Breaking.`,
    );
    const items = changes.map((each) => `- \`${each}\`: do something else.`);
    expect(findUndocumentedChanges(changes, changelog(...items))).toEqual([]);
  });

  it.each(harmless)('%s breaks nothing', (_what, ...edits) => {
    expect(changesAfter(...edits)).toEqual([]);
  });

  it('a renamed schema breaks nothing', () => {
    const renamed = text.replaceAll('schemas/Template"', 'schemas/Letter"');
    const changed = JSON.parse(renamed.replace('"Template":', '"Letter":')) as OpenApi;
    expect(changed.components.schemas).toHaveProperty('Letter');
    expect(breakingChanges(released, changed)).toEqual([]);
  });

  it('every removed field of a shared schema is found', () => {
    // Fields with a `$ref` stay, so that the schemas to which they refer are still compared.
    const fields = Object.entries(released.components.schemas).flatMap(([name, schema]) =>
      Object.entries(schema.properties ?? {})
        .filter(([, value]) => !JSON.stringify(value).includes('$ref'))
        .map(([field]) => [name, field] as const),
    );
    const edits = fields.flatMap(([name, field]): Edit[] => [
      [`${name} properties ${field}`, GONE],
      [`${name} required`, GONE],
    ]);
    expect(changesAfter(...edits)).toEqual(
      expect.arrayContaining(
        fields.map(([name, field]) => expect.stringMatching(`-removed ${name}.${field}$`)),
      ),
    );
  });

  it('a keyword that cannot be compared is refused', () => {
    expect(() => changesAfter(['Template properties name not', {}])).toThrow('compares not');
  });
});

describe('a removed operation', () => {
  const gone = JSON.parse(text) as OpenApi;
  edit(gone, ['paths /health/live', GONE]);
  const deprecated = JSON.parse(text) as OpenApi;
  const sunset = { Sunset: { schema: {}, example: 'Fri, 31 Dec 2027 00:00:00 GMT' } };
  edit(deprecated, ['getLiveness responses 200 headers', sunset]);

  it.each<[string, OpenApi, string, string[]]>([
    ['was not deprecated', released, '2030-01-01', ['get /health/live']],
    ['has a Sunset in the future', deprecated, '2027-12-30', ['get /health/live']],
    ['has a Sunset in the past', deprecated, '2027-12-31', []],
  ])('%s', (_what, before, today, early) => {
    expect(findEarlyRemovals(before, gone, new Date(today))).toEqual(early);
  });

  it('is not one that still exists', () => {
    expect(findEarlyRemovals(released, released, new Date())).toEqual([]);
  });
});

describe('a changelog', () => {
  it('names several changes with one cause, and changes that the document does not show', () => {
    const items = [
      '- `request-removed listTemplates query search`, `response-type Template.name`: one cause.',
      '- The order of `GET /api/templates`: newest last.',
    ];
    const changes = ['request-removed listTemplates query search', 'response-type Template.name'];
    expect(findUndocumentedChanges(changes, changelog(...items))).toEqual([]);
  });

  it('names only real changes', () => {
    expect(
      findUndocumentedChanges([], changelog('- `response-type Template.name`: a number.')),
    ).toEqual([
      'CHANGELOG.md names `response-type Template.name`, but nothing of that name has changed.',
    ]);
  });

  it.each(['Template.added', 'Template.released'])(
    '`response-removed %s` in another section does not count',
    (at) => {
      expect(findUndocumentedChanges([`response-removed ${at}`], changelog())).toHaveLength(1);
    },
  );
});
