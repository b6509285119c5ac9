import { readFileSync } from 'node:fs';

/** The keywords of the JSON Schema of documents that say which values a property has. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  const?: string;
  enum?: (string | number)[];
  examples?: (string | number)[];
  minimum?: number;
  default?: unknown;
  deprecated?: boolean;
  properties?: Record<string, Schema>;
}

const schema = JSON.parse(readFileSync('docs/schemas/document-1.json', 'utf8')) as Schema;

const resolve = ({ $ref, ...own }: Schema): Schema =>
  $ref === undefined ? own : { ...schema.$defs?.[$ref.replace('#/$defs/', '')], ...own };

/** The properties in a member of a node, such as `styles` or `dark`, or the node's `own`. */
export function propertiesIn(definition: string, member: string): Record<string, Schema> {
  const properties = schema.$defs?.[definition]?.properties ?? {};
  if (member !== 'own') return properties[member]?.properties ?? {};
  const { condition: _condition, repeat: _repeat, ...own } = properties;
  return own;
}

/** Lengths that differ from all defaults. */
const LENGTHS = ['37px', '37px 37px', '3.5', '37%', '37'];
// The properties of texts need values that are not the default.
const TEXTS: Record<string, (string | number)[]> = {
  'font-family': ['Courier New, monospace'],
  'font-weight': ['300', '900'],
  'font-style': ['italic'],
  'text-decoration': ['line-through'],
  'text-transform': ['uppercase', 'lowercase'],
  border: ['7px dotted #00aa00'],
  'border-radius': ['13px'],
  'border-style': ['dotted'],
  'background-size': ['37px 37px'],
  'background-position': ['37px 37px', 'left top'],
  'background-position-x': ['right'],
  'background-position-y': ['bottom'],
  src: ['https://example.com/another.png'],
  href: ['https://example.com/another'],
  name: ['mastodon', 'another'],
  target: ['_self'],
  height: ['137px'],
};

/** Returns values of a property, of which at least one differs from its default. */
export function valuesOf(name: string, given: Schema): unknown[] {
  const {
    const: only,
    enum: options,
    examples = [],
    type,
    minimum,
    pattern,
  } = resolve(given) as Schema & { pattern?: string };
  if (only !== undefined) return [only];
  if (options !== undefined) return options;
  if (given.$ref === '#/$defs/Color') return ['#00aa00'];
  const base = name.replace(/^(?:inner|ico)-|-(?:top|right|bottom|left)$/g, '');
  const texts = TEXTS[name] ?? TEXTS[base];
  if (texts !== undefined) return texts;
  if (type === 'boolean') return [true, false];
  if (type === 'number') return [(minimum ?? 0) + 37];
  const matching = LENGTHS.filter(
    (length) => pattern !== undefined && new RegExp(pattern).test(length),
  );
  return matching.length > 0 ? matching : examples;
}
