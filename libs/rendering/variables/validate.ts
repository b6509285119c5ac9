import { Validator, type OutputUnit } from '@cfworker/json-schema';
import { DomainError, type ErrorDetail } from '#errors';
import type { DocumentNode } from '../document/index.js';
import { defaultsIn, withDefaults } from './defaults.js';
import { declarationIn, withKnownKeywords, type Schema } from './schema.js';

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
  const { schema, problem } = declarationIn(JSON.parse(content) as DocumentNode);
  if (problem !== undefined) return { reason: problem.join(' ') };
  return { problems: schema === undefined ? [] : problemsOf(schema, data) };
}

/** Lists how data, filled with the defaults, does not fit a schema. May take any time. */
export function problemsOf(schema: Schema, data: unknown): ErrorDetail[] {
  const { valid, errors } = compare(schema, data ?? {});
  if (valid) return [];
  const inner = errors.filter(({ keyword }) => !OUTER.test(keyword));
  const listed = inner.length > 0 ? inner : errors;
  return listed.slice(0, MAX_PROBLEMS).map(detailOf);
}

function compare(schema: Schema, data: unknown): ReturnType<Validator['validate']> {
  const refuse = (error: string) => ({
    valid: false,
    errors: [{ keyword: '', keywordLocation: '#', instanceLocation: '#', error }],
  });
  try {
    const defaults = defaultsIn(schema);
    const filled = defaults ? withDefaults(data, defaults) : data;
    return new Validator(withKnownKeywords(schema) as Schema, '2020-12', false).validate(filled);
  } catch (error) {
    if (error instanceof DomainError) return refuse(error.message);
    // The library throws if a schema refers to itself without end, or if there are 100,000 problems. Its messages may
    // contain the names of all variables.
    return refuse('has too many problems, or the variables refer to themselves without end');
  }
}

const MAX_SHOWN_VALUES = 5;
// A path contains the names of variables, and a message the values of the schema.
const MAX_CHARACTERS = 300;

function detailOf({ keyword, instanceLocation, error }: OutputUnit): ErrorDetail {
  const place = `data${instanceLocation.replace(/^#/, '')}`;
  const [path, message] = describe(keyword, place, error);
  return { path: path.slice(0, MAX_CHARACTERS), message: message.slice(0, MAX_CHARACTERS) };
}

function describe(keyword: string, place: string, error: string): [path: string, message: string] {
  const [, found = '', expected] =
    /^Instance type "(.*)" is invalid\. Expected "(.*)"\.$/.exec(error) ?? [];
  if (expected !== undefined) return [place, `must be of the type ${expected}, not ${found}`];
  const [, missing] = (keyword === 'required' && /"([^]*)"\.$/.exec(error)) || [];
  if (missing !== undefined) return [`${place}/${missing}`, 'is missing'];
  if (keyword === 'false') return [place, 'is not a declared variable'];
  if (keyword === 'enum') return [place, `must be ${valuesIn(error)}`];
  return [place, error.replace(/\.$/, '')];
}

/** The allowed values in a message such as `Instance does not match any of ["S","L"].` */
function valuesIn(error: string): string {
  const [, list = '[]'] = /(\[[^]*\])\.$/.exec(error) ?? [];
  const values = (JSON.parse(list) as unknown[]).map((value) => JSON.stringify(value).slice(0, 50));
  const shown = values.slice(0, MAX_SHOWN_VALUES).join(', ');
  if (values.length <= MAX_SHOWN_VALUES) return `one of ${shown}`;
  return `one of ${shown} and ${values.length - MAX_SHOWN_VALUES} more values`;
}
