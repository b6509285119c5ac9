import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '../support/api/openapi.js';

/** The direction of a value: from callers to Galley, or from Galley to callers and receivers. */
export type Direction = 'request' | 'response';

/** A parameter, a header or a property. */
export interface Member {
  required: boolean;
  schema: Schema;
  /** The name of a component that operations share. */
  name?: string | undefined;
}

/** Resolves a `$ref` of a document. */
export type Resolve = <T>(value: T) => { value: T; name?: string | undefined };

// These keywords do not restrict values.
const ANNOTATIONS = [
  'description',
  'title',
  'example',
  'examples',
  'deprecated',
  'externalDocs',
  // `discriminator` repeats what the branches of `oneOf` say.
  'discriminator',
];
const STRUCTURE = ['type', 'enum', 'required', 'properties', 'items', 'default', 'anyOf', 'oneOf'];
// A different value of one of these keywords counts as breaking, because the values have no order.
const PLAIN = ['format', 'pattern', 'multipleOf', 'uniqueItems', 'const'];
const KNOWN = new Set([...ANNOTATIONS, ...STRUCTURE, ...PLAIN, 'additionalProperties']);
const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'string'];
const BOUND = /^(max|min|exclusiveMax|exclusiveMin)/;

/**
 * Compares what two documents say about a value. A request must accept everything that it accepted before.
 * A response must contain nothing new, except for new properties and new values of enums.
 */
export class SchemaComparison {
  // Each pair of shared schemas is compared only once, which also ends recursion.
  private readonly seen = new Set<string>();

  constructor(
    private readonly direction: Direction,
    private readonly inBefore: Resolve,
    private readonly inAfter: Resolve,
  ) {}

  /**
   * The breaking changes, as `<direction>-<what> <where>`. Within a shared schema, `where` begins with the
   * schema's name.
   */
  changes(before: Schema, after: Schema, where: string): string[] {
    const [was, is] = [flat(before, this.inBefore), flat(after, this.inAfter)];
    if (was.name !== undefined && is.name !== undefined) {
      const pair = `${was.name} ${is.name}`;
      if (this.seen.has(pair)) return [];
      this.seen.add(pair);
    }
    return this.ofSchemas(was.value, is.value, placeOf(was, is, where));
  }

  members(
    before: Map<string, Member>,
    after: Map<string, Member>,
    place: (name: string) => string,
  ): string[] {
    return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
      const [was, is] = [before.get(name), after.get(name)];
      const where = was && is ? placeOf(was, is, place(name)) : place(name);
      const presence = this.presence(was, is, where);
      return was && is ? [...presence, ...this.changes(was.schema, is.schema, where)] : presence;
    });
  }

  presence(
    was: { required?: boolean } | undefined,
    is: { required?: boolean } | undefined,
    where: string,
  ): string[] {
    if (was && !is) return [`${this.direction}-removed ${where}`];
    const [before, after] = [Boolean(was?.required), Boolean(is?.required)];
    if (this.direction === 'request') return !before && after ? [`request-required ${where}`] : [];
    return before && !after ? [`response-optional ${where}`] : [];
  }

  private ofSchemas(before: Schema, after: Schema, where: string): string[] {
    if (before.anyOf ?? before.oneOf ?? after.anyOf ?? after.oneOf) {
      return this.ofBranches(branches(before), branches(after), where);
    }
    const [narrow, wide] = this.direction === 'request' ? [before, after] : [after, before];
    if (!typesOf(narrow).every((type) => typesOf(wide).includes(type))) {
      return [`${this.direction}-type ${where}`];
    }
    const keywords = Object.keys(wide).filter((keyword) => !implied(keyword, narrow, wide));
    return [
      ...keywords.map((keyword) => `${this.direction}-${keyword} ${where}`),
      ...(this.valuesBreak(before, after) ? [`${this.direction}-enum ${where}`] : []),
      ...(this.defaultBreaks(before, after) ? [`request-default ${where}`] : []),
      ...this.ofObjects(before, after, where),
      ...(before.items || after.items
        ? this.changes(before.items ?? {}, after.items ?? {}, `${where}[]`)
        : []),
    ];
  }

  private valuesBreak({ enum: before }: Schema, { enum: after }: Schema): boolean {
    if (this.direction === 'request') {
      return after !== undefined && !before?.every((value) => after.includes(value));
    }
    // Clients may rely on a single allowed value, such as the kind of a notification. A longer list may change.
    return before?.length === 1 && !isDeepStrictEqual(before, after);
  }

  private defaultBreaks(before: Schema, after: Schema): boolean {
    const isKept = isDeepStrictEqual(before['default'], after['default']);
    return this.direction === 'request' && before['default'] !== undefined && !isKept;
  }

  private ofObjects(before: Schema, after: Schema, where: string): string[] {
    const [was, is] = [propertiesOf(before), propertiesOf(after)];
    const { additionalProperties: others = true } = before;
    const { additionalProperties: othersNow = true } = after;
    const place = (name: string) => `${where}.${name}`;
    // Before, no schema described other properties, so no client relies on the type of a new property.
    const isFree = this.direction === 'request' ? others === false : typeof others === 'boolean';
    if (isFree) return this.members(was, is, place);
    // A new property is compared with the schema of `additionalProperties`, which described it before.
    for (const name of is.keys()) {
      if (!was.has(name)) was.set(name, { required: false, schema: schemaOf(others) });
    }
    const changes = this.members(was, is, place);
    if (others === true && othersNow === true) return changes;
    if (othersNow === false) return [...changes, `${this.direction}-additionalProperties ${where}`];
    return [...changes, ...this.changes(schemaOf(others), schemaOf(othersNow), `${where}{}`)];
  }

  private ofBranches(before: Schema[], after: Schema[], where: string): string[] {
    const changes = (was: Schema, is: Schema) =>
      new SchemaComparison(this.direction, this.inBefore, this.inAfter).changes(was, is, where);
    const fits =
      this.direction === 'request'
        ? before.every((was) => after.some((is) => changes(was, is).length === 0))
        : after.every((is) => before.some((was) => changes(was, is).length === 0));
    if (fits) return [];
    if (before.length !== after.length) return [`${this.direction}-anyOf ${where}`];
    return before.flatMap((was, index) => changes(was, after[index] ?? {}));
  }
}

/** A shared schema is reported once, under the schema's own name. */
export const placeOf = (
  was: { name?: string | undefined },
  is: typeof was,
  where: string,
): string => (was.name !== undefined && was.name === is.name ? was.name : where);

/** Whether every value that `narrow` accepts satisfies the keyword of `wide`. */
function implied(keyword: string, narrow: Schema, wide: Schema): boolean {
  const [tight, loose] = [narrow[keyword], wide[keyword]];
  if (PLAIN.includes(keyword)) return isDeepStrictEqual(tight, loose);
  if (!BOUND.test(keyword)) return true;
  if (tight === undefined) return false;
  return /max/i.test(keyword) ? Number(tight) <= Number(loose) : Number(tight) >= Number(loose);
}

/** Resolves `$ref` and `allOf`. Returns the result, and the name of the shared schema if there is one. */
function flat(schema: Schema, resolve: Resolve): { value: Schema; name?: string | undefined } {
  const { $ref, allOf = [], ...own } = schema;
  const shared = $ref === undefined ? undefined : resolve<Schema>({ $ref });
  const [part, ...more] = shared ? [shared.value, ...allOf] : allOf;
  if (more.length > 0) throw new Error('Nothing here compares several schemas in allOf yet.');
  const base = part && flat(part, resolve);
  const value = { ...base?.value, ...own };
  const unknown = Object.keys(value).filter((key) => !KNOWN.has(key) && !BOUND.test(key));
  if (unknown.length > 0) throw new Error(`Nothing here compares ${unknown.join(', ')} yet.`);
  const isShared = Object.keys(own).every((key) => ANNOTATIONS.includes(key));
  return { value, name: isShared ? (shared ?? base)?.name : undefined };
}

const branches = ({ anyOf, oneOf, ...rest }: Schema): Schema[] =>
  (anyOf ?? oneOf)?.map((branch) => ({ ...rest, ...branch })) ?? [rest];

/** `number` means all numbers, `integer` only whole numbers. */
const typesOf = ({ type = TYPES }: Schema): string[] => {
  const types = [type].flat();
  return types.includes('number') ? [...types, 'integer'] : types;
};

const schemaOf = (value: Schema | boolean): Schema => (typeof value === 'boolean' ? {} : value);

const propertiesOf = ({ properties = {}, required = [] }: Schema): Map<string, Member> =>
  new Map(
    Object.entries(properties).map(([name, schema]) => [
      name,
      { required: required.includes(name), schema },
    ]),
  );
