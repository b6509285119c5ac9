import { Validator, type OutputUnit } from '@cfworker/json-schema';
import type { ErrorDetail } from '#errors';
import type { DocumentNode } from '../document/index.js';
import { defaultsIn, withDefaults } from './defaults.js';
import { schemaIn, schemaProblemIn, type Schema } from './schema.js';

export interface ValidationSource {
  /** The document as JSON. */
  content: string;
  data?: unknown;
}

/** The keywords whose problems are listed at a place inside the value. */
const OUTER = /^(?:\$ref|properties|items|prefixItems|additionalProperties|allOf|if)$/;
// A response lists fewer problems than that.
const MAX_PROBLEMS = 100;

/**
 * Compares data, filled with the defaults, with the variables that a document declares. Runs in a worker thread,
 * because the regular expressions of a schema may take any time. Data fits a document that declares no variables.
 *
 * @returns the problems of the data, or the reason why the declaration cannot be used.
 */
export default function validate({
  content,
  data,
}: ValidationSource): { problems: ErrorDetail[] } | { reason: string } {
  const document = JSON.parse(content) as DocumentNode;
  const problem = schemaProblemIn(document);
  if (problem !== undefined) return { reason: `${problem[0]} ${problem[1]}` };
  const schema = schemaIn(document);
  return { problems: schema === undefined ? [] : problemsOf(schema, data) };
}

/** Lists how data, filled with the defaults, does not fit a schema. May take any time. */
export function problemsOf(schema: Schema, data: unknown): ErrorDetail[] {
  const defaults = defaultsIn(schema);
  const filled = defaults ? withDefaults(data ?? {}, defaults) : (data ?? {});
  const { valid, errors } = new Validator(schema, '2020-12', false).validate(filled);
  if (valid) return [];
  const inner = errors.filter(({ keyword }) => !OUTER.test(keyword));
  const listed = inner.length > 0 ? inner : errors;
  return listed.slice(0, MAX_PROBLEMS).map(detailOf);
}

function detailOf({ keyword, instanceLocation, error }: OutputUnit): ErrorDetail {
  const place = `data${instanceLocation.replace(/^#/, '')}`;
  if (keyword === 'required') {
    const [, name = ''] = /"([^]*)"\.$/.exec(error) ?? [];
    return { path: `${place}/${name}`, message: 'is missing' };
  }
  if (keyword === 'false') return { path: place, message: 'is not a declared variable' };
  const [, found = '', expected] =
    /^Instance type "(.*)" is invalid\. Expected "(.*)"\.$/.exec(error) ?? [];
  if (expected !== undefined)
    return { path: place, message: `must be of the type ${expected}, not ${found}` };
  return { path: place, message: error };
}
