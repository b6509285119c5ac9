import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { check } from './fields.js';
import { isRecord, ParsedJson } from './json-body.js';

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

/** What of a document is known here. All else in it is the client's own, and comes back as it was sent. */
@ApiSchema({
  ...{ name: 'Content', ...OPEN },
  description:
    'What is not named here is your own, and comes back as it was sent. Refused are NUL characters, halves of surrogate pairs, a field `__proto__`, `prototype` in a `constructor`, and what is too large or nested too deep.',
})
export class Content {
  @ApiProperty({ required: false, type: Styles, description: 'How the whole document looks.' })
  styles?: Styles;

  @ApiProperty({
    ...{ required: false, type: 'array' },
    items: { type: 'object', additionalProperties: true },
    description: 'The parts of the document, from top to bottom.',
  })
  stripes?: object[];
}

/**
 * The document of a template or module. Only what the specification names is checked; everything
 * else is the client's own.
 */
export const IsDocument = (description = 'The document.') =>
  check(
    'isDocument',
    (content) => (content instanceof ParsedJson ? problemOf(content.value) : 'must be an object'),
    { type: Content, description },
  );

function problemOf(document: unknown): string | undefined {
  if (!isRecord(document)) return 'must be an object';
  const { styles, stripes } = document;
  if (stripes !== undefined && !(Array.isArray(stripes) && stripes.every(isRecord))) {
    return 'must have an array of objects in stripes';
  }
  if (styles === undefined) return undefined;
  if (!isRecord(styles)) return 'must have an object in styles';
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
