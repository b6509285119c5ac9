import fc, { type Arbitrary } from 'fast-check';
import { resolve, type Schema } from '../api/openapi.js';

const anything: Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(null, '', 'x'.repeat(3_000), -1, 1e300, [], {}, '\u0000', '\ud800'),
);
const time = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());

// The document of an email has thousands of properties, and values for all of them would take minutes. The tests of
// `libs/rendering` try each property.
const emailDocument = fc.record({
  stripes: fc.array(fc.dictionary(fc.string(), anything), { maxLength: 3 }),
});
const MAX_DEPTH = 4;

/** Values that a schema of openapi.json allows, down to a depth of 4. An id is a placeholder, such as `<moduleId>`, that the caller replaces. */
export function validValues(given: Schema, name = '', depth = 0): Arbitrary<unknown> {
  const schema = resolve<Schema>(given);
  if (schema['title'] === 'Email document') return emailDocument;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices) return fc.oneof(...choices.map((choice) => validValues(choice, name, depth)));
  return fc.oneof(...[schema.type].flat().map((type) => ofType(type, schema, name, depth)));
}

function ofType(
  type: string | undefined,
  schema: Schema,
  name: string,
  depth: number,
): Arbitrary<unknown> {
  const { minimum = 0, maximum = 1_000_000 } = schema as Record<string, number | undefined>;
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: minimum, max: maximum });
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'string':
      return text(schema, name);
    case 'array':
      return depth < MAX_DEPTH
        ? array(schema, name, depth + 1)
        : fc.array(anything, { maxLength: 3 });
    case 'object':
      return depth < MAX_DEPTH ? object(schema, depth + 1) : fc.dictionary(fc.string(), anything);
    default:
      return anything;
  }
}

function array(schema: Schema, name: string, depth: number): Arbitrary<unknown[]> {
  const { minItems = 0, maxItems = 3 } = schema as Record<string, number | undefined>;
  const lengths = { minLength: minItems, maxLength: Math.min(maxItems, 3) };
  const items = validValues(schema.items ?? {}, name, depth);
  return schema['uniqueItems'] ? fc.uniqueArray(items, lengths) : fc.array(items, lengths);
}

function object({ properties = {}, required = [], additionalProperties }: Schema, depth: number) {
  const known = fc.record(
    Object.fromEntries(
      Object.entries(properties)
        // These fields accept only their current values, which generated values almost never equal.
        .filter(([, each]) => !String(each['description']).startsWith('Read-only'))
        .map(([name, each]) => [name, validValues(each, name, depth)]),
    ),
    { requiredKeys: required },
  );
  if (!additionalProperties) return known;
  const more =
    typeof additionalProperties === 'object'
      ? validValues(additionalProperties, '', depth)
      : anything;
  const others = fc.dictionary(fc.stringMatching(/^[a-z][a-z-]{0,8}$/), more, { maxKeys: 3 });
  return fc.tuple(others, known).map(([unknown, named]) => ({ ...unknown, ...named }));
}

// Reading a pattern takes milliseconds, and the schemas have a few patterns in thousands of places.
const patterns = new Map<string, Arbitrary<string>>();
function matching(pattern: string): Arbitrary<string> {
  const known = patterns.get(pattern) ?? fc.stringMatching(RegExp(pattern));
  patterns.set(pattern, known);
  return known;
}

function text(schema: Schema, name: string): Arbitrary<string> {
  const { minLength = 0, maxLength = 30 } = schema as Record<string, number | undefined>;
  const pattern = schema['pattern'];
  if (schema.format === 'uuid') return fc.constant(`<${name}>`);
  if (schema.format === 'date-time') return time;
  if (schema.format === 'email') return fc.nat(50).map((number) => `person-${number}@example.com`);
  if (schema.format === 'uri') return fc.webPath().map((path) => `https://example.com${path}`);
  if (typeof pattern === 'string' && pattern !== '\\S') return matching(pattern);
  return fc
    .string({ unit: 'grapheme', maxLength: Math.min(maxLength, 30) })
    .map((value) => (value.trim().length < minLength ? `a${value}` : value));
}

/** Values that are usually invalid: a field is missing, has another type, or is unknown. */
export function invalidValues(schema: Schema): Arbitrary<unknown> {
  const how = fc.constantFrom('drop', 'replace', 'add');
  return fc.oneof(
    { weight: 1, arbitrary: anything },
    {
      weight: 4,
      arbitrary: fc.tuple(validValues(schema), how, fc.nat(), anything).map(breakValue),
    },
  );
}

function breakValue([value, how, at, other]: [unknown, string, number, unknown]): unknown {
  if (typeof value !== 'object' || value === null) return other;
  const names = Object.keys(value);
  const name = names[at % Math.max(1, names.length)] ?? 'x';
  const { [name]: _dropped, ...rest } = value as Record<string, unknown>;
  if (how === 'drop') return rest;
  return how === 'add' ? { ...value, [`x-${name}`]: other } : { ...rest, [name]: other };
}
