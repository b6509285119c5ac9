import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import compile from '../drawing/compile.js';
import { blockTypeNames, fullPreset } from '../drawing/index.js';
import mjmlCore from 'mjml-core';
import presetCore from 'mjml-preset-core';
import { documentSchema } from './document-schema.js';
import type { JsonSchema } from './json-schema.js';

const schema = documentSchema();
const isValid = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);

const definition = (name: string): JsonSchema => schema.$defs?.[name] ?? {};
const resolve = ({ $ref, ...others }: JsonSchema): JsonSchema =>
  $ref === undefined ? others : { ...definition($ref.replace('#/$defs/', '')), ...others };
const blocks = (definition('Block').oneOf ?? []).map(resolve);
const typesOf = ({ properties = {} }: JsonSchema): unknown[] => {
  const { const: only, enum: several = [] } = properties['type'] ?? {};
  return only === undefined ? several : [only];
};

/** Returns a value that is valid under the schema, preferably one of the examples of the schema. */
function valueFor(given: JsonSchema): unknown {
  const { examples, enum: options, const: only, anyOf, properties, ...rest } = resolve(given);
  if (only !== undefined) return only;
  const [value] = examples ?? options ?? [];
  if (value !== undefined) return value;
  if (anyOf !== undefined) return valueFor(anyOf[0] ?? {});
  if (properties !== undefined) return valuesFor(properties);
  if (rest.type === 'array') return [valueFor(rest.items ?? {})];
  return { boolean: true, number: rest.minimum, object: {} }[String(rest.type)] ?? 'A text';
}

const valuesFor = (properties: Record<string, JsonSchema>) =>
  Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, valueFor(each)]));

/** The schema of the properties of a node. */
const ownProperties = ({ properties = {} }: JsonSchema): Record<string, JsonSchema> =>
  (properties['props'] ?? properties['styles'])?.properties ?? {};

/** MJML throws an error for an invalid attribute or element. `compile` skips this validation. */
const requireValid = (mjml: string): Promise<unknown> =>
  mjmlCore.default(mjml, {
    presets: [presetCore, fullPreset],
    validationLevel: 'strict',
    fonts: {},
  });

async function htmlOf(content: object): Promise<{ html: string; warnings: string[] }> {
  const compiled = await compile({
    content: JSON.stringify(content),
    title: '',
    format: 'all',
    publicUrl: 'https://a.example',
  });
  if ('reason' in compiled) throw new Error(compiled.reason);
  const { mjml } = compiled.programs;
  await requireValid(mjml?.parts.map(String).join('') ?? '');
  return {
    html: JSON.stringify(compiled.programs.html?.parts),
    warnings: compiled.warnings.map(({ path, message }) => `${path} ${message}`),
  };
}
const warningsOf = async (content: object) => (await htmlOf(content)).warnings;

type Properties = Record<string, unknown>;
const blockDocument = (...all: object[]) => ({ stripes: [{ containers: [{ blocks: all }] }] });

/** Each kind of node that has properties: its name, its schema, and a document with one such node. */
const nodes: [string, JsonSchema, (properties: Properties) => object][] = [
  ['stripe', definition('Stripe'), (styles) => ({ stripes: [{ styles, containers: [] }] })],
  [
    'wrapper',
    definition('Wrapper'),
    (styles) => ({ stripes: [{ type: 'wrapper', styles, stripes: [] }] }),
  ],
  ['hero', definition('Hero'), (styles) => ({ stripes: [{ type: 'hero', styles }] })],
  [
    'structure',
    definition('Structure'),
    (styles) => ({ stripes: [{ structures: [{ styles, containers: [] }] }] }),
  ],
  ['container', definition('Container'), (styles) => ({ stripes: [{ containers: [{ styles }] }] })],
  ['column', definition('Column'), (props) => blockDocument({ type: 'column', props })],
  ...blocks.flatMap((block) =>
    typesOf(block).map((type): (typeof nodes)[number] => [
      String(type),
      block,
      // A play button needs a picture.
      (props) => {
        const own = 'play-button' in props ? { poster: 'https://a.example/', ...props } : props;
        return blockDocument({ type, props: own });
      },
    ]),
  ),
  [
    'link of a menu',
    { properties: { props: definition('MenuLink') } },
    (link) => blockDocument({ type: 'menu', props: { links: [link] } }),
  ],
  [
    'social network',
    { properties: { props: definition('SocialElement') } },
    (element) => blockDocument({ type: 'social', props: { elements: [element] } }),
  ],
];
const allNames = [...new Set(nodes.flatMap(([, node]) => Object.keys(ownProperties(node))))];

describe('the schema', () => {
  it('is the schema that the API serves (if not: npm run generate)', () => {
    const served: unknown = JSON.parse(readFileSync('docs/schemas/document-1.json', 'utf8'));
    expect(served).toEqual(JSON.parse(JSON.stringify(schema)));
  });

  it('has all types of blocks that Galley draws', () => {
    expect(blocks.flatMap(typesOf).toSorted()).toEqual(blockTypeNames.toSorted());
  });

  it('describes each property', () => {
    const without = nodes.flatMap(([name, node]) =>
      Object.entries(ownProperties(node)).flatMap(([property, each]) =>
        resolve(each).description === undefined ? [`${name} ${property}`] : [],
      ),
    );
    expect(without).toEqual([]);
  });
});

describe.each(nodes)('a %s', (_name, node, documentWith) => {
  it('is drawn with each property of the schema', async () => {
    for (const [name, each] of Object.entries(ownProperties(node))) {
      const document = documentWith({ [name]: valueFor(each) });
      expect([name, isValid(document), isValid.errors ?? []]).toEqual([name, true, []]);
      const warnings = each.deprecated ? [expect.stringMatching(/ has no effect/)] : [];
      expect(await warningsOf(document)).toEqual(warnings);
    }
  });

  it('is invalid with an unknown property, which causes a warning', async () => {
    const own = ownProperties(node);
    const others = ['colour', 'mj-class', ...allNames].filter((name) => !(name in own));
    expect(others.length).toBeGreaterThan(20);
    for (const name of others) {
      const document = documentWith({ [name]: 'A text' });
      expect([name, isValid(document)]).toEqual([name, false]);
      expect(await warningsOf(document)).toEqual([
        expect.stringContaining(`${name}: not a property`),
      ]);
    }
  });
});

const LINK = { content: 'A', href: 'https://a.example/' };
/** The properties of a block of each type for which a document can set properties. */
const blockProperties: Record<string, object> = {
  list: { items: ['A'] },
  table: { rows: [['A']] },
  image: { src: 'https://a.example/', href: 'https://a.example/' },
  menu: { hamburger: 'hamburger', links: [LINK] },
  accordion: { elements: [{ title: 'A title', content: 'A text' }] },
  social: { elements: [{ name: 'x', ...LINK }] },
  button: LINK,
};

/** What a node must have so that each of its properties has an effect. */
const requirements: Record<string, object> = {
  stripe: { 'background-url': 'https://a.example/another.png' },
  container: { padding: '9px', 'background-url': 'https://a.example/another.png' },
};
/** A document that sets styles, and has a node of one kind. */
function documentWithStyles(styles: object, kind: string) {
  const [, type = kind, level = '2'] = /^(heading)(\d?)$/.exec(kind) ?? [];
  const isBlock = kind !== 'stripe' && kind !== 'container';
  const props = blockProperties[type] ?? {
    content: 'A',
    ...(type === 'heading' && { level: Number(level || 2) }),
  };
  return {
    styles,
    ...blockDocument({ type: isBlock ? type : 'text', props: type === 'divider' ? {} : props }),
  };
}
const styleSchemas =
  resolve(definition('EmailDocument').properties?.['styles'] ?? {}).properties ?? {};
const kindsIn = ({ properties = {} }: JsonSchema) =>
  Object.entries(properties).filter(([, each]) => each.properties !== undefined);

describe.each([
  [
    'all occasions',
    { properties: styleSchemas },
    (kind: string, own: object) => ({ [kind]: { ...requirements[kind], ...own } }),
  ],
  [
    'mobile',
    styleSchemas['mobile'],
    (kind: string, own: object) => ({ [kind]: requirements[kind], mobile: { [kind]: own } }),
  ],
  [
    'dark',
    styleSchemas['dark'],
    (kind: string, own: object) => ({ [kind]: requirements[kind], dark: { [kind]: own } }),
  ],
] as const)('the styles of the document for %s', (_occasion, given, stylesWith) => {
  const kinds = kindsIn(given ?? {}).filter(([kind]) => kind !== 'mobile' && kind !== 'dark');

  it.each(kinds)(
    'change the HTML with each property of %s, or cause a warning',
    async (kind, { properties = {} }) => {
      const required = requirements[kind] ?? {};
      const without = await htmlOf(documentWithStyles({ [kind]: required }, kind));
      for (const [name, each] of Object.entries(properties)) {
        const values = each.enum ?? [valueFor(each), ...OTHER_VALUES];
        const documents = values
          .map((value) => documentWithStyles(stylesWith(kind, { [name]: value }), kind))
          .filter((document) => isValid(document));
        const results = await Promise.all(documents.map(htmlOf));
        const hasEffect = each.deprecated
          ? results.every(({ warnings }) => warnings.length > 0)
          : results.some(({ html, warnings }) => warnings.length === 0 && html !== without.html);
        expect([name, hasEffect]).toEqual([name, true]);
      }
    },
  );
});
// At least one of them differs from the default.
const OTHER_VALUES = ['37px', '300', 'italic', '7px dotted #00aa00'];

it.each([
  ['a block of another type', blockDocument({ type: 'poll' })],
  ['a column beside a text', blockDocument({ type: 'column' }, { type: 'text' })],
  ['an invalid colour', blockDocument({ type: 'text', props: { color: 'url(x)' } })],
  ['a length without a unit', blockDocument({ type: 'text', props: { padding: '10' } })],
  ['another visibility', blockDocument({ type: 'text', visibility: 'print' })],
])('%s is invalid, and causes a warning', async (_title, document) => {
  expect(isValid(document)).toBe(false);
  expect(await warningsOf(document)).toHaveLength(1);
});

it.each([
  ['a reference to a module', { stripes: [{ type: 'module', moduleId: 'm', version: 1 }] }],
  ['members of an editor', { title: 'A', stripes: [{ mine: 1, containers: [{ mine: 2 }] }] }],
  [
    'conditions and repetitions',
    blockDocument(
      { type: 'text', condition: 'user.isPremium', repeat: 'item in order.items' },
      { type: 'list', props: { items: ['A', { content: 'B', condition: 'not b' }] } },
      { type: 'table', props: { rows: [['A'], { cells: ['B'], repeat: 'b in list' }] } },
    ),
  ],
])('%s is valid, and causes no warning', async (_title, document) => {
  isValid(document);
  expect(isValid.errors ?? []).toEqual([]);
  expect(await warningsOf(document)).toEqual([]);
});
