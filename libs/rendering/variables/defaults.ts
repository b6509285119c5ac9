import { isObject, type DocumentNode } from '../document/index.js';
import { propertiesOf, resolve, type Schema } from './schema.js';

/** The defaults of a schema, without the parts of the schema that have none. */
export interface Defaults {
  value?: unknown;
  properties?: Record<string, Defaults>;
  items?: Defaults;
}

// A schema may refer to itself, so its defaults have no end.
const MAX_DEPTH = 16;
const MAX_DEFAULTS = 1_000;

/** The defaults that a schema gives to variables; undefined if it has none. At most 1,000 are read. */
export function defaultsIn(root: Schema): Defaults | undefined {
  let count = 0;
  const read = (given: unknown, depth: number): Defaults | undefined => {
    const schema = resolve(root, given);
    if (schema === undefined || depth > MAX_DEPTH || ++count > MAX_DEFAULTS) return undefined;
    const properties = Object.entries(propertiesOf(schema)).flatMap(([name, inner]) => {
      const found = read(inner, depth + 1);
      return found === undefined ? [] : [[name, found] as const];
    });
    const items = schema['items'] === undefined ? undefined : read(schema['items'], depth + 1);
    const hasValue = Object.hasOwn(schema, 'default');
    if (!hasValue && properties.length === 0 && items === undefined) return undefined;
    return {
      ...(hasValue && { value: schema['default'] }),
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(items !== undefined && { items }),
    };
  };
  return read(root, 0);
}

/**
 * Adds defaults to the data where a variable is missing or null. Objects that are missing altogether are created if
 * their properties have defaults. The data itself is not changed.
 */
export const withDefaults = <Data>(data: Data, defaults: Defaults): Data =>
  fill(data, defaults) as Data;

function fill(data: unknown, { value, properties = {}, items }: Defaults): unknown {
  const given = data ?? value;
  if (Array.isArray(given)) {
    return items === undefined ? given : given.map((each: unknown) => fill(each, items));
  }
  const inner = Object.entries(properties);
  if (inner.length === 0 || !(given === undefined || given === null || isObject(given))) {
    return given;
  }
  const filled: DocumentNode = { ...given };
  for (const [name, defaults] of inner) {
    const found = fill(Object.hasOwn(filled, name) ? filled[name] : undefined, defaults);
    if (found !== undefined) filled[name] = found;
  }
  return Object.keys(filled).length === 0 ? given : filled;
}

/** Whether a variable such as `user.name` or `order.items[].price` has a default. */
export function hasDefault(defaults: Defaults | undefined, variable: string): boolean {
  let found = defaults;
  for (const part of variable.split('.')) {
    const name = part.replace(/(?:\[\])+$/, '');
    const { properties = {} } = found ?? {};
    found = Object.hasOwn(properties, name) ? properties[name] : undefined;
    for (let at = name.length; at < part.length; at += 2) found = found?.items;
  }
  return found?.value !== undefined;
}
