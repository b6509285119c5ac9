import { isObject } from '../document/index.js';
import { defaultsIn, hasDefault, type Defaults } from './defaults.js';
import { declarationIn, propertiesOf, resolve, type Schema } from './schema.js';

/** A change of the variables by which data that fitted before may not fit any more. */
export interface BreakingChange {
  /** The place in the data, such as `data/order/id`. */
  path: string;
  message: string;
}

export interface ComparedVariables {
  /** The document as JSON. */
  content: string;
  /** The document before the change. */
  before: string;
}

// A schema may refer to itself, so its variables have no end.
const MAX_DEPTH = 16;
const MAX_NODES = 2_000;
const MAX_CHANGES = 100;

/** Compares the variables that two versions declare. Runs in a worker thread, because documents may be large. */
export default function compareVariables({ content, before }: ComparedVariables): {
  changes: BreakingChange[];
} {
  return { changes: breakingChanges(read(before), read(content)) };
}

const read = (content: string): Schema | undefined => {
  const document: unknown = JSON.parse(content);
  return isObject(document) ? declarationIn(document).schema : undefined;
};

/** Lists at most 100 changes. A document without a declaration accepts any data. */
export function breakingChanges(
  before: Schema | undefined,
  after: Schema | undefined,
): BreakingChange[] {
  if (after === undefined) return [];
  const changes: BreakingChange[] = [];
  const defaults = defaultsIn(after);
  const oldDefaults = before && defaultsIn(before);
  const queue: [old: unknown, now: unknown, path: string[]][] = [[before, after, []]];
  for (let at = 0; at < queue.length && at < MAX_NODES && changes.length < MAX_CHANGES; at++) {
    const [old, now, path] = queue[at] ?? [];
    // A variable that was not declared was hardly sent, so only the need to send it is new.
    const oldSchema = before && old !== undefined ? resolve(before, old) : undefined;
    if (path === undefined || path.length > MAX_DEPTH) continue;
    const place = ['data', ...path].join('/');
    if (now === false && old !== false) changes.push({ path: place, message: 'is refused now' });
    const newSchema = resolve(after, now);
    if (newSchema === undefined) continue;
    for (const message of oldSchema ? messagesOf(oldSchema, newSchema) : []) {
      changes.push({ path: place, message });
    }
    const [oldRequired, required] = [
      new Set(requiredIn(oldSchema ?? {}, path, oldDefaults)),
      requiredIn(newSchema, path, defaults),
    ];
    for (const name of required) {
      if (oldRequired.has(name)) continue;
      changes.push({ path: `${place}/${name}`, message: 'is required now' });
    }
    if (oldSchema === undefined) continue;
    const [oldProperties, properties] = [propertiesOf(oldSchema), propertiesOf(newSchema)];
    if (newSchema['additionalProperties'] === false) {
      for (const name of Object.keys(oldProperties)) {
        if (Object.hasOwn(properties, name)) continue;
        changes.push({ path: `${place}/${name}`, message: 'is no longer a declared variable' });
      }
    }
    for (const [name, inner] of Object.entries(properties)) {
      if (!Object.hasOwn(oldProperties, name)) continue;
      queue.push([oldProperties[name], inner, [...path, name]]);
    }
    if (newSchema['items'] !== undefined) {
      queue.push([oldSchema['items'] ?? {}, newSchema['items'], [...path, '*']]);
    }
  }
  return changes.slice(0, MAX_CHANGES);
}

/** The required properties of an object for which callers must send a value, because they have no default. */
function requiredIn(
  { required }: Schema,
  path: string[],
  defaults: Defaults | undefined,
): string[] {
  const variable = path.join('.').replaceAll('.*', '[]');
  return (Array.isArray(required) ? (required as string[]) : []).filter(
    (name) => !hasDefault(defaults, variable === '' ? name : `${variable}.${name}`),
  );
}

const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
// Whether another value of these keywords accepts less is not known.
const OPAQUE = [
  'pattern',
  'format',
  'multipleOf',
  'uniqueItems',
  'contains',
  'prefixItems',
  'propertyNames',
  'patternProperties',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
];

function* messagesOf(old: Schema, now: Schema): Generator<string> {
  const [oldTypes, types] = [typesOf(old), typesOf(now)];
  if (!oldTypes.every((type) => types.includes(type))) {
    yield `must be of the type ${types.filter((type) => type !== 'integer' || !types.includes('number')).join(' or ')} now`;
  }
  const [oldValues, values] = [valuesOf(old), valuesOf(now)];
  if (values !== undefined && !(oldValues?.every((value) => values.includes(value)) ?? false)) {
    yield 'accepts fewer values now';
  }
  for (const [bounds, sign] of [
    [LOWER_BOUNDS, 1],
    [UPPER_BOUNDS, -1],
  ] as const) {
    for (const name of bounds) {
      const bound = now[name];
      if (typeof bound !== 'number') continue;
      const oldBound = old[name];
      if (typeof oldBound === 'number' && (bound - oldBound) * sign <= 0) continue;
      yield `has the ${name} ${bound} now`;
    }
  }
  for (const name of OPAQUE) {
    if (now[name] !== undefined && JSON.stringify(now[name]) !== JSON.stringify(old[name])) {
      yield `has another \`${name}\` now`;
    }
  }
  const others = now['additionalProperties'];
  if (isObject(others) && JSON.stringify(others) !== JSON.stringify(old['additionalProperties'])) {
    yield 'accepts other values of variables that are not declared now';
  }
  if (others === false && old['additionalProperties'] !== false) {
    yield 'accepts only declared variables now';
  }
}

const ALL_TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** The types that a schema accepts. A number may be an integer. */
function typesOf({ type }: Schema): string[] {
  if (type === undefined) return ALL_TYPES;
  const types = (Array.isArray(type) ? type : [type]) as string[];
  return types.includes('number') ? [...types, 'integer'] : types;
}

/** The values that a schema accepts, as JSON; undefined for any. */
function valuesOf(schema: Schema): string[] | undefined {
  const values = Object.hasOwn(schema, 'const') ? [schema['const']] : schema['enum'];
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : undefined;
}
