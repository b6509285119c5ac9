import { describe, expect, it } from '@jest/globals';
import { hasReference, referenceOf, toJsonRows } from './json-rows.js';

const linesOf = (content: unknown, isExpanded: (path: string, depth: number) => boolean) =>
  toJsonRows(content, isExpanded).map(
    ({ depth, key, text, hasComma }) =>
      `${'  '.repeat(depth)}${key === undefined ? '' : `${JSON.stringify(key)}: `}${text}${hasComma ? ',' : ''}`,
  );

const content = { styles: { width: 600, font: null }, stripes: [{ a: true }, {}], 'a.b/c': 'x' };

describe('the rows of a document', () => {
  it('equal the formatted JSON if everything is expanded', () => {
    expect(linesOf(content, () => true).join('\n')).toBe(JSON.stringify(content, null, 2));
  });

  it('omit the contents of collapsed values, and count them', () => {
    expect(linesOf(content, (_path, depth) => depth < 1)).toEqual([
      '{',
      '  "styles": { "width": 600, "font": null, … },',
      '  "stripes": [ … ],',
      '  "a.b/c": "x"',
      '}',
    ]);
    const [, styles, stripes] = toJsonRows(content, (_path, depth) => depth < 1);
    expect([styles?.hiddenCount, stripes?.hiddenCount]).toEqual([2, 2]);
  });

  it('have unique paths for all keys', () => {
    const paths = toJsonRows({ 'a.0': [1], a: [[1]] }, () => true).map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('shorten a long string until it is expanded', () => {
    const long = 'x'.repeat(1_000);
    const [row] = toJsonRows(long, (_path, depth) => depth < 100);
    expect(row).toMatchObject({ isExpanded: false, hiddenCount: 842 });
    const [expandedRow] = toJsonRows(long, () => true);
    expect(expandedRow).toMatchObject({ isExpanded: true, text: JSON.stringify(long) });
  });
});

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

it('finds references at every depth', () => {
  const reference = { type: 'module', moduleId: 'a' };
  expect(hasReference({ stripes: [{ containers: [{ blocks: [reference] }] }] })).toBe(true);
  expect(hasReference({ stripes: [{ type: 'stripe' }], name: 'a' })).toBe(false);
});
