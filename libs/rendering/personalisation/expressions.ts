import { checkFilter, isFilter, type FilterCall } from './filters.js';

/** The path to a value in the data: `user.name` is `['user', 'name']`. */
export type Path = readonly string[];

/** A merge tag, such as `{{user.name | default: "friend"}}`. */
export interface MergeTag {
  path: Path;
  filters: FilterCall[];
  /** The text between the braces. */
  source: string;
}

/** A repetition, such as `item in order.items`. */
export interface Repeat {
  /** The name of an item inside the repeated node. */
  item: string;
  path: Path;
}

export type Operand = { path: Path } | { value: string | number | boolean | null };
const COMPARISONS = ['==', '!=', '<=', '>=', '<', '>'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** A condition, such as `user.isPremium and not order.total < 100`. */
export type Condition =
  | { or: Condition[] }
  | { and: Condition[] }
  | { not: Condition }
  | { left: Operand; comparison: Comparison; right: Operand }
  | { operand: Operand };

/** Thrown for an expression that cannot be parsed. The message is for the author of the document. */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem';
}

// Room for about a hundred names, which is more than a person writes.
const MAX_LENGTH = 500;
// Data is rarely nested more than 20 levels deep, and more than 10 filters in one merge tag would make no sense.
const MAX_NAMES = 20;
const MAX_FILTERS = 10;
const TOKEN =
  /\s*(?:(?<number>-?\d+(?:\.\d+)?)|"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<name>[\p{L}_$][\p{L}\p{N}_$-]*(?:\.[\p{L}\p{N}_$-]+)*)|(?<symbol>==|!=|<=|>=|[<>|:,]))\s*/uy;
const WORDS = ['and', 'or', 'not', 'in'];
const LITERALS = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

interface Token {
  text: string;
  name?: string | undefined;
  value?: string | number;
}

/** @throws SyntaxProblem */
export function parseMergeTag(source: string): MergeTag {
  const reader = new Reader(source);
  const path = reader.path();
  const filters: FilterCall[] = [];
  while (reader.accept('|')) filters.push(parseFilter(reader));
  if (filters.length > MAX_FILTERS)
    throw new SyntaxProblem(`it has more than ${MAX_FILTERS} filters`);
  reader.end();
  return { path, filters, source };
}

function parseFilter(reader: Reader): FilterCall {
  const name = reader.word();
  if (!isFilter(name)) throw new SyntaxProblem(`there is no filter ${name}`);
  const options: (string | number)[] = [];
  if (reader.accept(':')) {
    do options.push(reader.constant());
    while (reader.accept(','));
  }
  const problem = checkFilter(name, options);
  if (problem !== undefined) throw new SyntaxProblem(problem);
  return { name, options };
}

/** @throws SyntaxProblem */
export function parseRepeat(source: string): Repeat {
  const reader = new Reader(source);
  const item = reader.word();
  if (!reader.accept('in')) throw new SyntaxProblem('it must have the form `item in order.items`');
  const path = reader.path();
  reader.end();
  return { item, path };
}

/** @throws SyntaxProblem */
export function parseCondition(source: string): Condition {
  const reader = new Reader(source);
  const condition = parseAlternatives(reader);
  reader.end();
  return condition;
}

function parseAlternatives(reader: Reader): Condition {
  const or = [parseConjunction(reader)];
  while (reader.accept('or')) or.push(parseConjunction(reader));
  return or.length === 1 && or[0] ? or[0] : { or };
}

function parseConjunction(reader: Reader): Condition {
  const and = [parseNegation(reader)];
  while (reader.accept('and')) and.push(parseNegation(reader));
  return and.length === 1 && and[0] ? and[0] : { and };
}

function parseNegation(reader: Reader): Condition {
  if (reader.accept('not')) return { not: parseNegation(reader) };
  const operand = reader.operand();
  const comparison = COMPARISONS.find((symbol) => reader.accept(symbol));
  if (comparison === undefined) return { operand };
  return { left: operand, comparison, right: reader.operand() };
}

/** Splits an expression into tokens and reads them one by one. */
class Reader {
  private readonly tokens: Token[] = [];
  private position = 0;

  constructor(source: string) {
    if (source.length > MAX_LENGTH) {
      throw new SyntaxProblem(`it has more than ${MAX_LENGTH} characters`);
    }
    TOKEN.lastIndex = 0;
    for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
      const groups = TOKEN.exec(source)?.groups;
      if (groups === undefined) {
        const rest = source.slice(at).trim();
        if (rest === '') break;
        throw new SyntaxProblem(`\`${rest.slice(0, 20)}\` is not valid here`);
      }
      const { number, double, single, name, symbol } = groups;
      const value = number === undefined ? (double ?? single) : Number(number);
      const text = number ?? name ?? symbol ?? `"${value}"`;
      this.tokens.push({ text, name, ...(value !== undefined && { value }) });
    }
  }

  accept(text: string): boolean {
    const token = this.tokens[this.position];
    const accepted = token?.value === undefined && token?.text === text;
    if (accepted) this.position++;
    return accepted;
  }

  path(): Path {
    const name = this.tokens[this.position]?.name;
    if (name === undefined || WORDS.includes(name)) throw this.unexpected('a name');
    this.position++;
    const path = name.split('.');
    if (path.length > MAX_NAMES) throw new SyntaxProblem(`a path has more than ${MAX_NAMES} names`);
    return path;
  }

  word(): string {
    const path = this.path();
    const [word = ''] = path;
    if (path.length > 1) throw new SyntaxProblem(`${path.join('.')} must not contain a dot`);
    return word;
  }

  constant(): string | number {
    const value = this.tokens[this.position]?.value;
    if (value === undefined) throw this.unexpected('a string in quotes or a number');
    this.position++;
    return value;
  }

  operand(): Operand {
    const { name, value } = this.tokens[this.position] ?? {};
    if (value !== undefined) return { value: this.constant() };
    const literal = LITERALS.get(name ?? '');
    if (literal === undefined) return { path: this.path() };
    this.position++;
    return { value: literal };
  }

  end(): void {
    if (this.position < this.tokens.length) throw this.unexpected('the end of the expression');
  }

  private unexpected(expected: string): SyntaxProblem {
    const token = this.tokens[this.position];
    const found = token === undefined ? 'nothing' : `\`${token.text}\``;
    return new SyntaxProblem(`expected ${expected}, but found ${found}`);
  }
}
