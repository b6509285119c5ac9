import { ApiExtraModels, ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { ReceivedDocument, type DocumentOutline } from '../json/json-body.js';
import { fieldRule } from './fields.js';

// Allows additional fields. The cast is needed because the type of the decorator's options lacks
// `additionalProperties`.
const OPEN_SCHEMA = { additionalProperties: true } as object;

const HEX_COLOUR = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;

@ApiSchema({ name: 'Styles', ...OPEN_SCHEMA })
class Styles {
  @ApiProperty({ required: false, description: 'Width of the content area.' })
  contentWidth?: number;

  @ApiProperty({
    required: false,
    pattern: '^#([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$',
    description: 'A hexadecimal colour.',
  })
  backgroundColor?: string;

  @ApiProperty({ required: false, description: 'List of font families.' })
  fontFamily?: string;
}

const JSON_TYPES = ['object', 'array', 'string', 'number', 'boolean', 'null'];
// The cast is needed because the types of @nestjs/swagger do not allow a list of types, which OpenAPI 3.1 supports.
const typesExcept = (type: string) =>
  ({ type: JSON_TYPES.filter((candidate) => candidate !== type) }) as object;

/**
 * The document fields that Galley interprets. All other fields belong to the client, and are returned as they were
 * sent.
 */
@ApiExtraModels(Styles)
@ApiSchema({
  name: 'Content',
  ...OPEN_SCHEMA,
  description:
    'The document of a template or module. You may add any fields besides `styles` and `stripes`; Galley returns all fields exactly as you sent them. Galley refuses NUL characters, unpaired surrogates, fields named `__proto__`, fields named `prototype` inside a field named `constructor`, and documents that are too large or nested too deeply.',
})
export class Content {
  @ApiProperty({
    required: false,
    anyOf: [{ $ref: getSchemaPath(Styles) }, typesExcept('object')],
    description:
      'The styles of the whole document. If `styles` is an object, Galley checks its fields `contentWidth`, `backgroundColor` and `fontFamily`. If `styles` has another JSON type, Galley does not check it.',
  })
  styles?: unknown;

  @ApiProperty({
    required: false,
    anyOf: [
      { type: 'array', items: { type: 'object', additionalProperties: true } },
      typesExcept('array'),
    ],
    description:
      'The parts of the document, from top to bottom. If `stripes` is an array, all its elements must be objects. If `stripes` has another JSON type, Galley does not check it.',
  })
  stripes?: unknown;
}

const DOCUMENT_SCHEMA = {
  type: 'object' as const,
  additionalProperties: true,
  // The OpenAPI document takes `EmailDocument` from the JSON Schema of documents.
  anyOf: ['EmailDocument', 'Content'].map((name) => ({ $ref: getSchemaPath(name) })),
};

/**
 * The document of a template or module. `styles` is checked only if it is an object, and `stripes` only if it is an
 * array, because documents from other editors may use these names for something else.
 */
export const IsDocument = (description = 'The document.') =>
  fieldRule('isDocument', findContentProblem, { ...DOCUMENT_SCHEMA, description });

function findContentProblem(content: unknown): string | undefined {
  const outline = content instanceof ReceivedDocument ? content.outline : undefined;
  return outline === undefined ? 'must be an object' : findOutlineProblem(outline);
}

function findOutlineProblem({
  styles = {},
  hasInvalidStripe,
}: DocumentOutline): string | undefined {
  if (hasInvalidStripe) return 'must have only objects in the stripes array';
  const { contentWidth, backgroundColor, fontFamily } = styles;
  if (contentWidth !== undefined && typeof contentWidth !== 'number') {
    return 'must have a number in styles.contentWidth';
  }
  if (backgroundColor !== undefined && !isHexColour(backgroundColor)) {
    return 'must have a hexadecimal colour such as #F4F4F4 in styles.backgroundColor';
  }
  if (fontFamily !== undefined && typeof fontFamily !== 'string') {
    return 'must have a string in styles.fontFamily';
  }
  return undefined;
}

const isHexColour = (value: unknown) => typeof value === 'string' && HEX_COLOUR.test(value);
