export type SampleData = Record<string, unknown>;

export const isData = (value: unknown): value is SampleData =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// Matches the variables whose filter requires a number or a date.
const FILTERED = /\{\{\s*([^\s{}|]+)\s*\|\s*(number|percent|currency|date|time|datetime)\b/g;
const VALUES: Record<string, unknown> = {
  number: 3,
  percent: 0.25,
  currency: 19.9,
  date: '2026-03-01T12:00:00Z',
  time: '2026-03-01T12:00:00Z',
  datetime: '2026-03-01T12:00:00Z',
};

/**
 * Creates sample data for all variables of a document, as a starting point for the user. The value of a variable is a
 * number or a date if its filter requires one, and its name in all other cases. Lists have two items.
 *
 * @param variables paths such as `user.name` and `order.items[].price`.
 */
export function sampleValues(variables: readonly string[], content: unknown): SampleData {
  const filters = new Map<string, string>();
  for (const [, path = '', filter = ''] of JSON.stringify(content).matchAll(FILTERED)) {
    filters.set(lastName(path), filter);
  }
  const data: SampleData = {};
  // Longer paths come first. If `user` came first, its value would be a text, which cannot contain `user.name`.
  for (const variable of variables.toSorted((a, b) => b.length - a.length)) {
    const name = lastName(variable).replace('[]', '');
    put(data, variable.split('.'), VALUES[filters.get(name) ?? ''] ?? name);
  }
  return data;
}

const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

function put(target: SampleData, [first = '', ...rest]: string[], sample: unknown): void {
  const isList = first.endsWith('[]');
  const name = isList ? first.slice(0, -2) : first;
  if (rest.length === 0) {
    const value = isList ? [sample, sample] : sample;
    if (!Object.hasOwn(target, name)) define(target, name, value);
    return;
  }
  if (!Object.hasOwn(target, name)) define(target, name, isList ? [{}, {}] : {});
  const value = target[name];
  for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
    if (isData(each)) put(each, rest, sample);
  }
}

/** Like an assignment, but also safe for a name such as `__proto__`. */
const define = (target: SampleData, name: string, value: unknown) =>
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });

// A schema may refer to itself.
const MAX_DEPTH = 16;
const MAX_SCHEMAS = 1_000;

/** The examples and defaults in the `variables` of a document, as sample data; undefined if there are none. */
export function examplesIn({ variables }: SampleData): SampleData | undefined {
  if (!isData(variables)) return undefined;
  const value = new Examples(variables).of(variables, 0);
  return isData(value) ? value : undefined;
}

class Examples {
  private count = 0;

  constructor(private readonly root: SampleData) {}

  of(given: unknown, depth: number): unknown {
    const schema = this.resolve(given);
    if (!isData(schema) || depth > MAX_DEPTH || ++this.count > MAX_SCHEMAS) return undefined;
    const { examples, properties, items } = schema;
    if (Array.isArray(examples) && examples.length > 0) return examples[0];
    if (Object.hasOwn(schema, 'default')) return schema['default'];
    if (isData(items)) {
      const item = this.of(items, depth + 1);
      return item === undefined ? undefined : [item];
    }
    if (!isData(properties)) return undefined;
    const data: SampleData = {};
    for (const [name, inner] of Object.entries(properties)) {
      const value = this.of(inner, depth + 1);
      if (value !== undefined) define(data, name, value);
    }
    return Object.keys(data).length > 0 ? data : undefined;
  }

  private resolve(given: unknown): unknown {
    if (!isData(given) || typeof given['$ref'] !== 'string') return given;
    const { $ref, ...own } = given;
    const target = definition(this.root, $ref);
    return isData(target) ? { ...target, ...own } : undefined;
  }
}

/** Finds a definition by a JSON Pointer such as `#/$defs/Address`. */
const definition = (root: SampleData, reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (value, name) => (isData(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      root,
    );
