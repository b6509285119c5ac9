import { defaultProperties } from '../document/index.js';
import { attributeSchemas, textStyleSchemas } from './attribute-schemas.js';
import { nodeMembers } from './block-schemas.js';
import { overrideMembers } from './override-schemas.js';
import { closed, ref, type JsonSchema } from './json-schema.js';

/** The definitions of the nodes that contain other nodes. */
export const sectionDefinitions = (): Record<string, JsonSchema> => ({
  Wrapper: {
    ...section('Wrapper', 'Stripes with a common background or border.', 'mj-wrapper', {
      type: { const: 'wrapper' },
      stripes: listOf('The stripes, from top to bottom.', ['Stripe', 'Hero', 'ModuleReference']),
    }),
    required: ['type'],
  },
  Hero: {
    ...section('Hero', 'A background picture with blocks on it.', 'mj-hero', {
      type: { const: 'hero' },
      blocks: listOf('The blocks, from top to bottom.', BLOCKS),
    }),
    required: ['type'],
  },
  Stripe: section(
    'Stripe',
    'A horizontal part of the email. It has containers, or structures if it has several rows.',
    'mj-section',
    {
      type: { const: 'stripe' },
      containers,
      structures: listOf('The rows, from top to bottom.', ['Structure']),
    },
    defaultProperties.stripe,
  ),
  Structure: section('Structure', 'A row of a stripe.', 'mj-section', {
    type: { const: 'structure' },
    containers,
  }),
  Container: section(
    'Container',
    'A column of a stripe. If all its blocks are columns, it has these columns side by side.',
    'mj-column',
    {
      type: { const: 'container' },
      blocks: {
        description: 'The blocks from top to bottom, or columns side by side.',
        anyOf: [arrayOf(BLOCKS), arrayOf(['Column', 'ModuleReference'])],
      },
    },
  ),
  Column: {
    title: 'Column',
    description: 'A column. All blocks of its container must be columns.',
    type: 'object',
    properties: {
      type: { const: 'column' },
      ...nodeMembers,
      props: propertiesLike('mj-column'),
      ...overrideMembers('mj-column'),
      blocks: listOf('The blocks, from top to bottom.', BLOCKS),
    },
    required: ['type'],
  },
});

const BLOCKS = ['Block', 'ModuleReference'];

function arrayOf(names: readonly string[]): JsonSchema {
  const [first = '', ...others] = names;
  const items = others.length === 0 ? ref(first) : { anyOf: names.map(ref) };
  return { type: 'array', items };
}

function listOf(description: string, names: readonly string[]): JsonSchema {
  return { description, ...arrayOf(names) };
}

const containers = listOf('The columns, side by side. On phones, they are stacked.', [
  'Container',
  'ModuleReference',
]);

const propertiesLike = (tagName: string, defaults = {}): JsonSchema =>
  closed(
    `The properties, named like the attributes of \`${tagName}\`, and the text styles of the blocks inside.`,
    { ...attributeSchemas(tagName, { defaults }), ...textStyleSchemas() },
  );

function section(
  title: string,
  description: string,
  tagName: string,
  { type, ...members }: Record<string, JsonSchema>,
  defaults = {},
): JsonSchema {
  return {
    title,
    description,
    type: 'object',
    properties: {
      ...(type && { type }),
      ...nodeMembers,
      styles: propertiesLike(tagName, defaults),
      ...overrideMembers(tagName, { isRow: 'containers' in members }),
      ...members,
    },
  };
}
