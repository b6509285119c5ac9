import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import compile from '../../drawing/compile.js';
import { importDocument } from '../convert.js';
import type { ImportFormat } from '../formats.js';

type Node = Record<string, unknown>;

/** The nodes of a document that have a type, from top to bottom. */
function* nodesIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value) yield value;
  for (const each of Object.values(value)) yield* nodesIn(each);
}

const blocksIn = (document: Node): Node[] =>
  [...nodesIn(document['stripes'])].filter(({ type }) => type !== 'stripe' && type !== 'container');

// Contents as the editors save them, written for these tests.
const cases = globSync('test/samples/imports/*.json').map((path): [ImportFormat, object] => [
  basename(path, '.json') as ImportFormat,
  JSON.parse(readFileSync(path, 'utf8')) as object,
]);

describe.each(cases)('%s', (format, content) => {
  const { document, report } = importDocument({ format, content });

  it('becomes blocks', () => {
    const blocks = blocksIn(document).filter(({ type }) => type !== 'wrapper');
    expect(blocks.map(({ type }) => type)).toEqual(expectedBlocks[format]);
  });

  it('keeps texts, links and pictures', () => {
    const json = JSON.stringify(document);
    for (const text of [
      'Good morning',
      'https://example.com/go',
      'https://example.com/photo.png',
    ]) {
      expect(json).toContain(text);
    }
  });

  it('names what Galley does not know', () => {
    const lost = report.entries.filter(({ outcome }) => outcome === 'lost');
    expect(lost.map(({ source }) => source)).toEqual(expectedLosses[format]);
  });

  it('is drawn without warnings', async () => {
    const source = { content: JSON.stringify(document), title: 'A', format: 'html' } as const;
    const compiled = await compile({ ...source, publicUrl: 'https://a.example' });
    expect('warnings' in compiled ? compiled.warnings : compiled.reason).toEqual([]);
  });

  it('may be JSON in a string', () => {
    expect(importDocument({ format, content: JSON.stringify(content) }).document).toEqual(document);
  });
});

const expectedBlocks: Partial<Record<ImportFormat, string[]>> = {
  'easy-email': ['text', 'button', 'image', 'social', 'menu'],
  'email-builder': ['heading', 'text', 'text', 'image', 'button', 'divider', 'html'],
  unlayer: ['heading', 'text', 'image', 'button', 'social', 'menu', 'html'],
  beefree: ['heading', 'text', 'image', 'button', 'divider', 'spacer'],
  templatical: ['heading', 'text', 'image', 'button', 'social', 'html'],
  'grapesjs-mjml': ['text', 'image', 'button'],
};

const expectedLosses: Partial<Record<ImportFormat, string[]>> = {
  'easy-email': ['/content/children/0/children/1'],
  'email-builder': ['/block-unknown'],
  unlayer: ['/body/rows/1/columns/0/contents/2'],
  beefree: ['/page/rows/0/columns/1/modules/3'],
  templatical: ['/blocks/3'],
  'grapesjs-mjml': [],
};

it.each<[ImportFormat, unknown, string]>([
  ['easy-email', { type: 'section' }, 'it has no block of the type page.'],
  ['email-builder', {}, 'its root is no block of the type EmailLayout.'],
  ['unlayer', { body: {} }, 'it has no rows in its body.'],
  ['beefree', { page: {} }, 'it has no rows in its page.'],
  ['templatical', { blocks: 1 }, 'it has no blocks array.'],
  ['grapesjs-mjml', { pages: [] }, 'it has no component of the type mjml.'],
  ['unlayer', 'rows', 'it is not JSON.'],
  ['unlayer', '[]', 'it must be an object, or its JSON.'],
])('another content is no %s', (format, content, reason) => {
  expect(() => importDocument({ format, content })).toThrow(reason);
});

it('a block of email-builder may not be inside of itself', () => {
  const container = { type: 'Container', data: { props: { childrenIds: ['a'] } } };
  const root = { type: 'EmailLayout', data: { childrenIds: ['a'] } };
  const { report } = importDocument({ format: 'email-builder', content: { root, a: container } });
  expect(report.entries.map(({ source }) => source)).toEqual(['/a']);
});
