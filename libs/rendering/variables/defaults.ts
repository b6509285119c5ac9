import { DomainError } from '#errors';
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
const MAX_NODES = 2_000;

/**
 * The defaults that a schema gives to variables; undefined if it has none. If the schema has more than 2,000 variables,
 * those that are nested least are read.
 */
export function defaultsIn(root: Schema): Defaults | undefined {
  const all: Defaults = {};
  const queue: [schema: unknown, target: Defaults, depth: number][] = [[root, all, 0]];
  for (let at = 0; at < queue.length && at < MAX_NODES; at++) {
    const [given, target, depth] = queue[at] ?? [undefined, {}, MAX_DEPTH];
    const schema = resolve(root, given);
    if (schema === undefined) continue;
    if (Object.hasOwn(schema, 'default')) target.value = schema['default'];
    if (depth === MAX_DEPTH) continue;
    const properties = Object.entries(propertiesOf(schema)).map(([name, inner]) => {
      const below: Defaults = {};
      queue.push([inner, below, depth + 1]);
      return [name, below] as const;
    });
    if (properties.length > 0) target.properties = Object.fromEntries(properties);
    if (schema['items'] !== undefined) {
      target.items = {};
      queue.push([schema['items'], target.items, depth + 1]);
    }
  }
  return prune(all);
}

/** Removes the parts that have no defaults. */
function prune({ value, properties = {}, items }: Defaults): Defaults | undefined {
  const kept = Object.entries(properties).flatMap(([name, inner]) => {
    const found = prune(inner);
    return found === undefined ? [] : [[name, found] as const];
  });
  const keptItems = items && prune(items);
  if (value === undefined && kept.length === 0 && keptItems === undefined) return undefined;
  return {
    ...(value !== undefined && { value }),
    ...(kept.length > 0 && { properties: Object.fromEntries(kept) }),
    ...(keptItems !== undefined && { items: keptItems }),
  };
}

// Lists in lists multiply. Filling in this many values takes some 20 ms.
const MAX_STEPS = 100_000;
const STEPS_BETWEEN_CHECKPOINTS = 200;

/**
 * Adds defaults to the data where a variable is missing or null. Objects that are missing altogether are created if
 * their properties have defaults. The data itself is not changed. Yields about every 0.1 ms.
 *
 * @throws DomainError `invalid` if there are more than 100,000 values.
 */
export function* fillDefaults<Data>(data: Data, defaults: Defaults): Generator<void, Data> {
  return (yield* new Filler().fill(data, defaults)) as Data;
}

/** Like `fillDefaults`, but without pauses. Call this function only in threads that may be blocked. */
export function withDefaults<Data>(data: Data, defaults: Defaults): Data {
  const work = fillDefaults(data, defaults);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

class Filler {
  private steps = 0;

  *fill(data: unknown, { value, properties = {}, items }: Defaults): Generator<void, unknown> {
    const given = data ?? value;
    if (Array.isArray(given)) {
      if (items === undefined) return given as unknown;
      const filled: unknown[] = [];
      for (const each of given) {
        if (this.spend(1)) yield;
        filled.push(yield* this.fill(each, items));
      }
      return filled;
    }
    const inner = Object.entries(properties);
    const isMissing = given === undefined || given === null;
    if (inner.length === 0 || !(isMissing || isObject(given))) return given;
    const filled: DocumentNode = { ...(given as DocumentNode | undefined) };
    if (this.spend(Object.keys(filled).length)) yield;
    for (const [name, defaults] of inner) {
      if (this.spend(1)) yield;
      const found = yield* this.fill(
        Object.hasOwn(filled, name) ? filled[name] : undefined,
        defaults,
      );
      if (found !== undefined) filled[name] = found;
    }
    return Object.keys(filled).length === 0 ? given : filled;
  }

  /** Returns true about every 200 steps. */
  private spend(count: number): boolean {
    const before = this.steps;
    this.steps += count;
    if (this.steps > MAX_STEPS) {
      throw DomainError.invalid(
        'data',
        'The defaults of the variables would fill in more than 100,000 values.',
      );
    }
    const checkpointsOf = (steps: number) => Math.floor(steps / STEPS_BETWEEN_CHECKPOINTS);
    return checkpointsOf(this.steps) > checkpointsOf(before);
  }
}

/** Whether a variable such as `user.name` or `order.items[].price`, or an object around it, has a default. */
export function hasDefault(defaults: Defaults | undefined, variable: string): boolean {
  let found = defaults;
  for (const part of variable.split('.')) {
    const name = part.replace(/(?:\[\])+$/, '');
    const { properties = {} } = found ?? {};
    found = Object.hasOwn(properties, name) ? properties[name] : undefined;
    for (let at = name.length; at < part.length; at += 2) found = found?.items;
    if (found?.value !== undefined) return true;
  }
  return false;
}
