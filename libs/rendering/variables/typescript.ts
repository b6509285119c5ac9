import { isObject, type DocumentNode } from '../document/index.js';
import { declarationIn, propertiesOf, resolve, type Schema } from './schema.js';

// A schema may refer to itself, and deeper types would be hard to read.
const MAX_DEPTH = 16;
const MAX_TYPES = 5_000;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * Writes the variables that a document declares as TypeScript. Runs in a worker thread, because a document may be
 * large.
 */
export default function types({
  content,
}: {
  content: string;
}): { types: string } | { reason: string } {
  const { schema, problem } = declarationIn(JSON.parse(content) as DocumentNode);
  return problem === undefined ? { types: typesOf(schema) } : { reason: problem.join(' ') };
}

/** Writes the type of the data that fits a schema as TypeScript. Parts that TypeScript cannot express are `unknown`. */
function typesOf(root: Schema | undefined): string {
  if (root === undefined) return 'export type Data = Record<string, unknown>;\n';
  const writer = new Writer(root);
  return `${writer.commentOf(root, '')}export type Data = ${writer.typeOf(root)};\n`;
}

class Writer {
  private count = 0;

  constructor(private readonly root: Schema) {}

  /** @param level how far the lines of the type are indented. */
  typeOf(given: unknown, depth = 0, level = 0): string {
    const schema = resolve(this.root, given);
    if (schema === undefined || depth > MAX_DEPTH || ++this.count > MAX_TYPES) {
      return 'unknown';
    }
    const { type, enum: values, anyOf, oneOf } = schema;
    if (Object.hasOwn(schema, 'const')) return literal(schema['const']);
    if (Array.isArray(values) && values.length > 0) return values.map(literal).join(' | ');
    const alternatives = anyOf ?? oneOf;
    if (Array.isArray(alternatives) && alternatives.length > 0) {
      return alternatives.map((each) => this.typeOf(each, depth + 1, level)).join(' | ');
    }
    const types = Array.isArray(type) ? [...new Set(type)] : [type];
    return types.map((each) => this.typeNamed(each, schema, depth, level)).join(' | ');
  }

  private typeNamed(type: unknown, schema: Schema, depth: number, level: number): string {
    switch (type) {
      case 'object':
        return this.objectType(schema, depth, level);
      case 'array':
        return `Array<${this.typeOf(schema['items'], depth + 1, level)}>`;
      case 'integer':
        return 'number';
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
        return type;
      default:
        return 'unknown';
    }
  }

  private objectType(schema: Schema, depth: number, level: number): string {
    const indent = '  '.repeat(level + 1);
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    const lines = Object.entries(propertiesOf(schema)).map(([name, inner]) => {
      const key = IDENTIFIER.test(name) ? name : JSON.stringify(name);
      const mark = required.includes(name) ? '' : '?';
      return `${this.commentOf(inner, indent)}${indent}${key}${mark}: ${this.typeOf(inner, depth + 1, level + 1)};\n`;
    });
    if (lines.length === 0) return 'Record<string, unknown>';
    // Data may have members that the schema does not name, unless the schema forbids them.
    const others =
      schema['additionalProperties'] === false ? '' : `${indent}[name: string]: unknown;\n`;
    return `{\n${lines.join('')}${others}${'  '.repeat(level)}}`;
  }

  commentOf(given: unknown, indent: string): string {
    const { description } = resolve(this.root, given) ?? {};
    if (typeof description !== 'string' || description.trim() === '') return '';
    const text = description.replaceAll('*/', '* /').replace(/\s+/g, ' ').trim();
    return `${indent}/** ${text} */\n`;
  }
}

const literal = (value: unknown): string =>
  isObject(value) || Array.isArray(value) ? 'unknown' : JSON.stringify(value);
