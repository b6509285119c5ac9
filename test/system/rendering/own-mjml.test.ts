import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Renderer } from '#rendering';
import { propertiesIn, valuesOf } from '../../browser/emails/properties/document-schema.js';
import { nodeKinds, requirements, type NodeKind } from '../../browser/emails/properties/nodes.js';

type Document = Record<string, unknown>;

interface Imported {
  document: Document;
  report: { entries: object[] };
}

const renderer = new Renderer('https://galley.example');
const request = { tenant: () => 'a workspace' };
afterAll(() => renderer.onApplicationShutdown());

async function draw(document: Document, format: 'html' | 'mjml'): Promise<string> {
  const source = { content: JSON.stringify(document), title: 'A', format };
  return (await renderer.render(source, request))[format] ?? '';
}

/** The HTML without what MJML makes at random, and without what only separates elements. */
const comparable = (html: string): string[] =>
  html
    // Galley gives paragraphs in raw HTML the margin that they have in MJML.
    .replaceAll('<p style="margin:13px 0">', '<p>')
    .replaceAll(/<!\[endif\]-->\s*<!--\[if mso \| IE\]>/g, '')
    .replaceAll(/[\da-f]{16}/g, 'id')
    // Rules for links apply to no link if the text has none of this colour.
    .replaceAll(/(?:\[data-ogsc\] )?\.galley-\d+ a\[style\*="color:[^"]*"\]\{[^}]*\}/g, '')
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=>) ?(?=<)/);

async function expectEqual(document: Document): Promise<void> {
  const mjml = await draw(document, 'mjml');
  const source = { format: 'mjml', content: JSON.stringify(mjml) } as const;
  const { document: imported, report } = JSON.parse(
    await renderer.convert(source, request),
  ) as Imported;
  expect(report.entries).toEqual([]);
  expect(comparable(await draw(imported, 'html'))).toEqual(
    comparable(await draw(document, 'html')),
  );
}

const files = [
  ...globSync('apps/settings/samples/*.json'),
  ...globSync('test/browser/emails/documents/*.json'),
].map((path): [string, Document] => {
  const { content } = JSON.parse(readFileSync(path, 'utf8')) as { content: Document };
  return [basename(path, '.json'), content];
});

it.each(files)('%s comes back from MJML', async (_name, document) => {
  await expectEqual(document);
});

const MEMBERS = ['styles', 'props', 'own', 'mobile', 'dark', 'hover'] as const;
// Values that a test of equality cannot have.
const isTried = (name: string): boolean => !['condition', 'repeat', 'id'].includes(name);

/** One document for each property of a kind of node, with one of its values. */
function documentsOf(kind: NodeKind): [string, Document][] {
  return MEMBERS.flatMap((member) =>
    Object.entries(propertiesIn(kind.definition, member))
      .filter(([name]) => isTried(name))
      .flatMap(([name, schema]) =>
        valuesOf(name, schema).map((value): [string, Document] => {
          const own = { ...kind.base, ...requirements[name] };
          const isOwn = member === kind.member;
          const node = isOwn
            ? { [member]: { ...own, [name]: value } }
            : { [kind.member]: own, [member]: { [name]: value } };
          const text = `${member}.${name} = ${JSON.stringify(value)}`;
          return [text, { stripes: [kind.stripeWith(node)] }];
        }),
      ),
  );
}

describe.each(Object.entries(nodeKinds))(
  'each property of a %s comes back from MJML',
  (_name, kind) => {
    it.each(documentsOf(kind))('%s', async (_property, document) => {
      await expectEqual(document);
    });
  },
);
