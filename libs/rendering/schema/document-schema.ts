import { attributeDefinitions, attributeSchemas } from './attribute-schemas.js';
import { blockDefinitions, nodeMembers } from './block-schemas.js';
import { closed, ref, type JsonSchema } from './json-schema.js';

/**
 * The JSON Schema of the documents that Galley draws. `docs/schemas/document-1.json` has a copy, which the API
 * serves. A later version of Galley may add members to this version; any other change needs a version 2.
 */
export const documentSchema = (): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  // Relative to the address of the Galley that serves the schema.
  $id: '/schemas/document-1.json',
  ...ref('EmailDocument'),
  $defs: {
    EmailDocument: emailDocument,
    Stripe: stripe(),
    Container: container(),
    Column: column(),
    ...blockDefinitions(),
    ModuleReference: moduleReference,
    Condition: condition,
    Repeat: repeat,
    Visibility: visibility,
    ...attributeDefinitions,
  },
});

const emailDocument: JsonSchema = {
  title: 'Email document',
  description: 'An email that Galley can draw. Other members are yours.',
  type: 'object',
  properties: {
    $schema: { description: 'The address of this schema.', type: 'string' },
    language: {
      description: 'The language of the text (BCP 47). Screen readers need it.',
      type: 'string',
      examples: ['en'],
    },
    direction: {
      description: 'The direction of the text.',
      enum: ['ltr', 'rtl'],
      default: 'ltr',
    },
    title: { description: 'By default the name of the template.', type: 'string' },
    preheader: {
      description: 'The text next to the subject in the inbox.',
      type: 'string',
    },
    sampleData: {
      description: 'Values of merge tags, with which a preview shows the document.',
      type: 'object',
    },
    styles: {
      description: 'The styles of the whole document.',
      type: 'object',
      properties: {
        contentWidth: {
          description: 'The width of the content in pixels.',
          type: 'number',
          minimum: 200,
          maximum: 2_000,
          default: 600,
        },
        backgroundColor: {
          description: 'The colour around the content, as a hexadecimal number.',
          type: 'string',
          pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$',
        },
        fontFamily: {
          description: 'The fonts of all texts: the first font that the reader has is used.',
          type: 'string',
          maxLength: 200,
          examples: ['Georgia, serif'],
        },
      },
    },
    stripes: {
      description: 'The parts of the email, from top to bottom.',
      type: 'array',
      items: { anyOf: [ref('Stripe'), ref('ModuleReference')] },
    },
  },
  required: ['stripes'],
};

const stripe = (): JsonSchema => ({
  title: 'Stripe',
  description: 'A horizontal part of the email.',
  type: 'object',
  properties: {
    type: { const: 'stripe' },
    ...nodeMembers,
    styles: closed('The names are those of `mj-section`.', attributeSchemas('mj-section')),
    containers: {
      description: 'The columns, side by side. On a phone, they are below each other.',
      type: 'array',
      items: { anyOf: [ref('Container'), ref('ModuleReference')] },
    },
  },
});

const container = (): JsonSchema => ({
  title: 'Container',
  description:
    'A column of a stripe. A container that holds only columns stands for these columns.',
  type: 'object',
  properties: {
    type: { const: 'container' },
    ...nodeMembers,
    styles: closed('The names are those of `mj-column`.', attributeSchemas('mj-column')),
    blocks: {
      description: 'The blocks from top to bottom, or columns side by side.',
      anyOf: [blocks, { type: 'array', items: { anyOf: [ref('Column'), ref('ModuleReference')] } }],
    },
  },
});

const blocks: JsonSchema = {
  type: 'array',
  items: { anyOf: [ref('Block'), ref('ModuleReference')] },
};

const column = (): JsonSchema => ({
  title: 'Column',
  description: 'A column. All blocks of its container must be columns.',
  type: 'object',
  properties: {
    type: { const: 'column' },
    ...nodeMembers,
    props: closed('The names are those of `mj-column`.', attributeSchemas('mj-column')),
    blocks: { description: 'The blocks, from top to bottom.', ...blocks },
  },
  required: ['type'],
});

const moduleReference: JsonSchema = {
  title: 'Module',
  description: 'A part that many documents share. Galley puts the document of the module here.',
  type: 'object',
  properties: {
    type: { const: 'module' },
    moduleId: { description: 'The id of the module.', type: 'string' },
    version: {
      description: 'The version of the module; without it, the latest one.',
      type: 'number',
      minimum: 1,
    },
    asOf: {
      description: 'With `version`: the modules inside the module are those of this time.',
      type: 'string',
    },
    ...nodeMembers,
  },
  required: ['type', 'moduleId'],
};

const condition: JsonSchema = {
  description:
    'The node is included only if this is true: a path, `not` and a path, or comparisons with `==`, `!=`, `<`, `<=`, `>` and `>=`, joined by `and` and `or`.',
  type: 'string',
  examples: ['user.isPremium', 'order.total >= 50 and not order.isGift'],
};

const repeat: JsonSchema = {
  description: 'The node is repeated for each element of a list. Its texts use the name.',
  type: 'string',
  pattern: '^\\s*\\w+\\s+in\\s+\\S+\\s*$',
  examples: ['item in order.items'],
};

const visibility: JsonSchema = {
  description:
    'Shows the node only in windows that are narrower than 480 pixels (`mobile`), or only in wider ones (`desktop`).',
  enum: ['mobile', 'desktop'],
};
