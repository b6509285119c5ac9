import { isObject, type DocumentNode } from '../document/index.js';

/** A JSON Schema of which only the keywords that Galley understands are read. */
export type Schema = DocumentNode;

// A reference may lead to another reference.
const MAX_REFERENCES = 16;

/** Follows the references of a schema to definitions in the same document. */
export function resolve(root: Schema, schema: unknown): Schema | undefined {
  let found = schema;
  for (let count = 0; count < MAX_REFERENCES; count++) {
    if (!isObject(found)) return undefined;
    const { $ref, ...own } = found;
    if (typeof $ref !== 'string') return found;
    const target = targetOf(root, $ref);
    // Keywords beside a reference apply as well.
    found = isObject(target) ? { ...target, ...own } : undefined;
  }
  return undefined;
}

/** Finds a definition by a JSON Pointer such as `#/$defs/Address`. */
function targetOf(root: Schema, reference: string): unknown {
  if (reference === '#') return root;
  // Other members of a schema, such as `default`, hold no schemas.
  if (!/^#\/(?:properties|\$defs|definitions)\//.test(reference)) return undefined;
  return reference
    .slice(2)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, name) => memberOf(value, name), root);
}

/** The keywords that describe values. */
const ASSERTIONS = [
  'type',
  'enum',
  'const',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'required',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
  '$ref',
];

/** A copy of a schema with only the keywords that Galley knows. Others may change what references and names mean. */
export function withKnownKeywords(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const copy: DocumentNode = {};
  for (const name of ASSERTIONS) if (schema[name] !== undefined) copy[name] = schema[name];
  for (const name of SUBSCHEMAS) {
    if (schema[name] !== undefined) copy[name] = withKnownKeywords(schema[name]);
  }
  for (const name of LISTS_OF_SCHEMAS) {
    if (Array.isArray(schema[name])) copy[name] = schema[name].map(withKnownKeywords);
  }
  for (const name of MAPS_OF_SCHEMAS) {
    const map = schema[name];
    if (!isObject(map)) continue;
    const entries = Object.entries(map).map(([key, inner]) => [key, withKnownKeywords(inner)]);
    copy[name] = Object.fromEntries(entries);
  }
  return copy;
}

const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export const propertiesOf = (schema: Schema): Schema =>
  isObject(schema['properties']) ? schema['properties'] : {};

/** The keywords by which an object may have properties that `properties` does not name. */
const OPEN = ['additionalProperties', 'patternProperties', 'anyOf', 'oneOf', 'allOf', 'if'];
const isOpen = (schema: Schema): boolean =>
  schema['properties'] === undefined ||
  OPEN.some(
    (name) => isObject(schema[name]) || Array.isArray(schema[name]) || schema[name] === true,
  );

/** Whether data that fits the schema may have a variable such as `user.name` or `order.items[].price`. */
export function isDeclared(root: Schema, variable: string): boolean {
  let schema = resolve(root, root);
  for (const part of variable.split('.')) {
    const name = part.replace(/(?:\[\])+$/, '');
    if (schema === undefined) return true;
    const property = memberOf(propertiesOf(schema), name);
    if (property === undefined) return isOpen(schema);
    schema = resolve(root, property);
    for (let at = name.length; at < part.length; at += 2) schema = resolve(root, schema?.['items']);
  }
  return true;
}

/** The variables that a schema declares at the top level, such as `user` and `order`. */
export const namesIn = (root: Schema): string[] =>
  Object.keys(propertiesOf(resolve(root, root) ?? {}));

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
const SUBSCHEMAS = [
  'items',
  'additionalProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contains',
];
const LISTS_OF_SCHEMAS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const MAPS_OF_SCHEMAS = ['properties', 'patternProperties', '$defs', 'definitions'];

/** A JSON Pointer into the document, and a sentence that says what is wrong there. */
type SchemaProblem = [path: string, sentence: string];

/** The schema that a document declares, or what is wrong with it. A document without `variables` has neither. */
export interface Declaration {
  schema?: Schema;
  problem?: SchemaProblem;
}

export function declarationIn({ variables }: DocumentNode): Declaration {
  if (variables === undefined) return {};
  if (!isObject(variables)) {
    return { problem: ['/variables', 'must be a JSON Schema, which is an object.'] };
  }
  if (resolve(variables, variables)?.['type'] !== 'object') {
    const sentence = 'must have "type": "object", because `data` is an object.';
    return { problem: ['/variables', sentence] };
  }
  const problem = problemIn(variables, variables, '/variables');
  return problem === undefined ? { schema: variables } : { problem };
}

function problemIn(root: Schema, schema: unknown, path: string): SchemaProblem | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isObject(schema)) return [path, 'must be a schema: an object, true or false.'];
  const { type, required, pattern, $ref } = schema;
  const types = Array.isArray(type) ? type : [type];
  if (type !== undefined && !types.every((each) => TYPES.includes(each as string))) {
    return [`${path}/type`, `must be one of ${TYPES.join(', ')}.`];
  }
  const isListOfNames =
    Array.isArray(required) && required.every((name) => typeof name === 'string');
  if (required !== undefined && !isListOfNames) {
    return [`${path}/required`, 'must be a list of names.'];
  }
  if (schema['enum'] !== undefined && !Array.isArray(schema['enum'])) {
    return [`${path}/enum`, 'must be a list of values.'];
  }
  const patterns = isObject(schema['patternProperties']) ? schema['patternProperties'] : {};
  const wrong = Object.keys(patterns).find((name) => !isPattern(name));
  if (wrong !== undefined) {
    return [`${path}/patternProperties`, 'must have regular expressions as names.'];
  }
  if (pattern !== undefined && !isPattern(pattern)) {
    return [`${path}/pattern`, 'must be a regular expression.'];
  }
  if ($ref !== undefined && (typeof $ref !== 'string' || !isObject(targetOf(root, $ref)))) {
    return [`${path}/$ref`, 'must name a definition in `variables`, such as #/$defs/Address.'];
  }
  for (const [below, inner] of subschemasOf(schema)) {
    const problem = problemIn(root, inner, `${path}/${below}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function* subschemasOf(schema: Schema): Generator<[path: string, schema: unknown]> {
  for (const name of SUBSCHEMAS) if (schema[name] !== undefined) yield [name, schema[name]];
  for (const name of LISTS_OF_SCHEMAS) {
    const list = schema[name];
    if (list === undefined) continue;
    if (!Array.isArray(list)) yield [name, list === true ? 'a list' : undefined];
    else for (const [index, inner] of list.entries()) yield [`${name}/${index}`, inner];
  }
  for (const name of MAPS_OF_SCHEMAS) {
    const map = schema[name];
    if (map === undefined) continue;
    if (!isObject(map)) yield [name, undefined];
    else {
      for (const [key, inner] of Object.entries(map)) {
        yield [`${name}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, inner];
      }
    }
  }
}

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}
