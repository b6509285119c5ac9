import { check } from './fields.js';
import { isRecord, ParsedJson } from './json-body.js';

const COLOUR = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;

/**
 * The document of a template or module. Only what the specification names is checked; everything
 * else is the client's own.
 */
export const IsDocument = () =>
  check('isDocument', (content) =>
    content instanceof ParsedJson ? problemOf(content.value) : 'must be an object',
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
