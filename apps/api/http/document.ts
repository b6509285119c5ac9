import { ApiExtraModels, ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { ReceivedDocument, type Outline } from '../bodies/json-body.js';
import { check } from './fields.js';

// More than what is known here may be in it. The type of the option knows less than what it does.
const OPEN = { additionalProperties: true } as object;

const COLOUR = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;

@ApiSchema({ name: 'Styles', ...OPEN })
class Styles {
  @ApiProperty({ required: false, description: 'Width of the content area.' })
  contentWidth?: number;

  @ApiProperty({
    ...{ required: false, pattern: '^#([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$' },
    description: 'A hexadecimal colour.',
  })
  backgroundColor?: string;

  @ApiProperty({ required: false, description: 'List of font families.' })
  fontFamily?: string;
}

const TYPES = ['object', 'array', 'string', 'number', 'boolean', 'null'];
// The types of @nestjs/swagger do not know lists of types, which OpenAPI 3.1 has.
const otherThan = (type: string) => ({ type: TYPES.filter((each) => each !== type) }) as object;

/** What of a document is known here. All else in it is the client's own, and comes back as it was sent. */
@ApiExtraModels(Styles)
@ApiSchema({
  ...{ name: 'Content', ...OPEN },
  description:
    'What is not named here is your own, and comes back as it was sent. Refused are NUL characters, halves of surrogate pairs, a field `__proto__`, `prototype` in a `constructor`, and what is too large or nested too deep.',
})
export class Content {
  @ApiProperty({
    required: false,
    anyOf: [{ $ref: getSchemaPath(Styles) }, otherThan('object')],
    description: 'How the whole document looks. Its fields are checked if it is an object.',
  })
  styles?: unknown;

  @ApiProperty({
    required: false,
    anyOf: [
      { type: 'array', items: { type: 'object', additionalProperties: true } },
      otherThan('array'),
    ],
    description:
      'The parts of the document, from top to bottom. If it is an array, all elements must be objects.',
  })
  stripes?: unknown;
}

/**
 * The document of a template or module. Only what the specification names is checked, and only where it has
 * the type that the specification gives it: documents of other editors may use the same names for
 * something else.
 */
export const IsDocument = (description = 'The document.') =>
  check('isDocument', problemOf, { type: Content, description });

function problemOf(content: unknown): string | undefined {
  const outline = content instanceof ReceivedDocument ? content.outline : undefined;
  return outline === undefined ? 'must be an object' : problemOfOutline(outline);
}

function problemOfOutline({ styles = {}, hasOddStripe }: Outline): string | undefined {
  if (hasOddStripe) return 'must have only objects in the array stripes';
  const { contentWidth, backgroundColor, fontFamily } = styles;
  if (contentWidth !== undefined && typeof contentWidth !== 'number') {
    return 'must have a number in styles.contentWidth';
  }
  if (backgroundColor !== undefined && !isColour(backgroundColor)) {
    return 'must have a hexadecimal colour such as #F4F4F4 in styles.backgroundColor';
  }
  if (fontFamily !== undefined && typeof fontFamily !== 'string') {
    return 'must have a string in styles.fontFamily';
  }
  return undefined;
}

const isColour = (value: unknown) => typeof value === 'string' && COLOUR.test(value);
