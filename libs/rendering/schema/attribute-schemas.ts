import { textStyleNames, type Attributes } from '../document/index.js';
import {
  attributeTypes,
  hasEffect,
  isAlignment,
  isDrawable,
  maxLengthOf,
} from '../drawing/index.js';
import { describeAttribute } from './attribute-descriptions.js';
import { ref, type JsonSchema } from './json-schema.js';

const COLOR: JsonSchema = {
  description: 'A colour, such as `#1f3a2e`, `rgb(31,58,46)` or `white`.',
  type: 'string',
  pattern:
    '^(#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})|rgb\\(\\d{1,3},\\s?\\d{1,3},\\s?\\d{1,3}\\)|rgb\\(\\d{1,3} \\d{1,3} \\d{1,3}\\)|rgba\\(\\d{1,3},\\s?\\d{1,3},\\s?\\d{1,3},\\s?\\d(\\.\\d{1,3})?\\)|[a-z]+)$',
  examples: ['#1f3a2e', 'white'],
};

/** Shared definitions, to which the attribute schemas refer with `$ref`. */
export const attributeDefinitions = { Color: COLOR };

/**
 * The JSON Schemas of the attributes of an MJML element, by name. Attributes that Galley does not draw have no schema.
 */
export function attributeSchemas(
  tagName: string,
  { except = [], defaults = {} }: { except?: readonly string[]; defaults?: Attributes } = {},
): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  for (const [name, type] of attributeTypes(tagName)) {
    const schema = except.includes(name) ? undefined : schemaOf(tagName, name, type);
    if (schema === undefined) continue;
    schemas[name] = {
      description: describeAttribute(name),
      ...schema,
      ...(defaults[name] !== undefined && { default: defaults[name] }),
      ...(!hasEffect(tagName, name) && { description: 'Has no effect.', deprecated: true }),
    };
  }
  return schemas;
}

/** The JSON Schemas of the text styles that the nodes inside a node inherit. */
export const textStyleSchemas = (): Record<string, JsonSchema> => {
  const ofText = attributeSchemas('mj-text');
  return Object.fromEntries(
    textStyleNames.map((name) => [name, name === 'link-color' ? linkColor : (ofText[name] ?? {})]),
  );
};

export const linkColor: JsonSchema = {
  description: 'The colour of links that have no colour of their own.',
  ...ref('Color'),
};

/**
 * Returns the JSON Schema for an MJML type such as `unit(px,%)`, or undefined if Galley draws no values of the type.
 */
function schemaOf(tagName: string, name: string, type: string): JsonSchema | undefined {
  const isValid = (value: string) => isDrawable(tagName, name, value);
  const [, kind = '', choices = '', count = '1'] =
    /^(\w+)(?:\(([^)]*)\))?(?:\{([^}]+)\})?$/.exec(type) ?? [];
  const options = choices.split(',');
  switch (kind) {
    case 'color':
      return ref('Color');
    case 'enum':
      return {
        enum: options
          .concat(isAlignment(type) ? ['start', 'end'] : [])
          .filter((option) => option !== '' && isValid(option)),
      };
    case 'unit':
    case 'unitWithNegative':
      return lengthSchema(kind, options, count, isValid);
    case 'integer':
      return { type: ['string', 'number'], pattern: '^\\d+$', examples: [4] };
    case 'string':
      return textSchema(name);
    default:
      return undefined;
  }
}

function lengthSchema(
  kind: string,
  units: readonly string[],
  count: string,
  isValid: (value: string) => boolean,
): JsonSchema {
  const sign = kind === 'unit' ? '' : '-?';
  const suffixes = units.filter((unit) => unit !== 'auto').join('|');
  const words = units.includes('auto') ? '|auto' : '';
  const length = `(${sign}[\\d.]+(${suffixes})|0${words})`;
  const examples = ['10px 25px', '10px', '1.5'].filter(isValid).slice(0, 1);
  return {
    type: isValid('1.5') ? ['string', 'number'] : 'string',
    pattern: count === '1' ? `^${length}$` : `^${length}( ${length}){0,3}$`,
    examples,
  };
}

// Example values of string attributes. A key is an attribute name, or an attribute name without its prefix and side.
const EXAMPLES: Record<string, string> = {
  'background-position': 'center center',
  'background-position-x': 'center',
  'background-position-y': 'top',
  'background-size': 'cover',
  border: '1px solid #dddddd',
  'row-border': '2px dotted #dddddd',
  'border-radius': '4px',
  'border-style': 'dashed',
  'font-family': 'Georgia, serif',
  'css-class': 'offer first',
  'font-style': 'italic',
  'font-weight': 'bold',
  href: 'https://example.com/',
  name: 'github',
  rel: 'noopener',
  src: 'https://example.com/picture.png',
  target: '_blank',
  'text-decoration': 'underline',
  'text-transform': 'uppercase',
};

function textSchema(name: string): JsonSchema {
  const base = name.replace(/^(?:inner|ico)-|-(?:top|right|bottom|left|url)$/g, '');
  const example = EXAMPLES[name] ?? EXAMPLES[name.endsWith('-url') ? 'src' : base] ?? 'A text';
  return {
    type: name === 'font-weight' ? ['string', 'number'] : 'string',
    maxLength: maxLengthOf(name),
    examples: [example],
  };
}
