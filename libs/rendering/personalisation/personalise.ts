import { DomainError } from '#errors';
import { escapeText } from '../mjml/mjml-node.js';
import { isSafeUrl } from '../mjml/safe-url.js';
import type { Condition, Operand, Path } from './expressions.js';
import { applyFilter, isEmpty } from './filters.js';
import type { NodePart, Part, Program, TagPart } from './program.js';

/** The data of one recipient: any JSON object. */
export type MergeData = Readonly<Record<string, unknown>>;

export interface Personalised {
  text: string;
  /** The names of merge tags and lists that have no value in the data. */
  missing: Set<string>;
}

// The event loop may be blocked for 20 ms. A tag takes 0.2 to 2 µs.
const MAX_STEPS = 20_000;
const CHARACTERS_PER_STEP = 1_000;
const MAX_CHARACTERS = 8_000_000;

/**
 * Puts data into a program. Without data, merge tags stay as they are written, and each node is shown once.
 *
 * Data is only read by its own properties, and no value becomes part of an expression.
 *
 * @throws DomainError `invalid` if the data makes the result too large.
 */
export function personalise(
  program: Program,
  data: MergeData | undefined,
  locale: string,
): Personalised {
  const run = new Run(program, data, locale);
  run.write(program.parts, []);
  const text = run.output.join('');
  return { text: program.isHtml ? text : withoutGaps(text), missing: run.missing };
}

/** Nodes that are not shown leave empty lines. */
const withoutGaps = (text: string): string => `${text.replace(/\n{3,}/g, '\n\n').trim()}\n`;

/** A name of a repeated item, and the item. */
type Scope = readonly (readonly [name: string, value: unknown])[];

class Run {
  readonly output: string[] = [];
  readonly missing = new Set<string>();
  private steps = 0;
  private length = 0;

  constructor(
    private readonly program: Program,
    private readonly data: MergeData | undefined,
    private readonly locale: string,
  ) {}

  write(parts: readonly Part[], scope: Scope): void {
    for (const part of parts) {
      if (typeof part === 'string') this.add(part);
      else if (this.data === undefined) this.writeSource(part);
      else if ('tag' in part) this.add(this.valueOf(part, scope));
      else this.writeNode(part, scope);
    }
  }

  private add(text: string): void {
    this.length += text.length;
    if (this.length > MAX_CHARACTERS) {
      throw tooLarge('the result has more than 8,000,000 characters');
    }
    this.output.push(text);
  }

  private writeNode({ condition, repeat, parts, listName }: NodePart, scope: Scope): void {
    const show = (inner: Scope): void => {
      this.spend(1);
      if (condition === undefined || this.isTrue(condition, inner)) this.write(parts, inner);
    };
    if (repeat === undefined) {
      show(scope);
      return;
    }
    const items = this.read(repeat.path, scope);
    if (!Array.isArray(items)) {
      this.missing.add(listName);
      return;
    }
    for (const item of items) show(scope.concat([[repeat.item, item]]));
  }

  private writeSource(part: TagPart | NodePart): void {
    if ('parts' in part) {
      if (part.repeat) this.missing.add(part.listName);
      this.write(part.parts, []);
      return;
    }
    this.missing.add(part.name);
    const source = `{{${part.tag.source}}}`;
    this.add(this.program.isHtml ? escapeText(source) : source);
  }

  private valueOf({ tag, place, name }: TagPart, scope: Scope): string {
    let value = this.read(tag.path, scope);
    if (!isPrintable(value)) {
      this.missing.add(name);
      value = undefined;
    }
    for (const filter of tag.filters) {
      this.spend(1);
      value = applyFilter(value, filter, this.locale);
    }
    const text = isPrintable(value) ? String(value) : '';
    const placed = place === 'text' ? text : inUrl(text, place);
    return this.program.isHtml ? escapeText(placed) : placed;
  }

  private isTrue(condition: Condition, scope: Scope): boolean {
    if ('or' in condition) return condition.or.some((each) => this.isTrue(each, scope));
    if ('and' in condition) return condition.and.every((each) => this.isTrue(each, scope));
    if ('not' in condition) return !this.isTrue(condition.not, scope);
    if ('operand' in condition) {
      const value = this.evaluate(condition.operand, scope);
      return Array.isArray(value) ? value.length > 0 : Boolean(value);
    }
    const left = this.evaluate(condition.left, scope);
    const right = this.evaluate(condition.right, scope);
    if (condition.comparison === '==') return isEqual(left, right);
    if (condition.comparison === '!=') return !isEqual(left, right);
    const areComparable =
      (typeof left === 'number' && typeof right === 'number') ||
      (typeof left === 'string' && typeof right === 'string');
    return areComparable && COMPARE[condition.comparison](left, right);
  }

  private evaluate(operand: Operand, scope: Scope): unknown {
    return 'path' in operand ? this.read(operand.path, scope) : operand.value;
  }

  private read(path: Path, scope: Scope): unknown {
    const [first = '', ...rest] = path;
    const item = scope.findLast(([name]) => name === first);
    let value = item ? item[1] : own(this.data, first);
    for (const name of rest) value = own(value, name);
    this.spend(typeof value === 'string' ? 1 + value.length / CHARACTERS_PER_STEP : 1);
    return value;
  }

  private spend(steps: number): void {
    this.steps += steps;
    if (this.steps > MAX_STEPS) {
      throw tooLarge('it fills more than some 20,000 merge tags, conditions and repetitions');
    }
  }
}

const COMPARE = {
  '<': (left: string | number, right: string | number) => left < right,
  '<=': (left: string | number, right: string | number) => left <= right,
  '>': (left: string | number, right: string | number) => left > right,
  '>=': (left: string | number, right: string | number) => left >= right,
};

const isEqual = (left: unknown, right: unknown): boolean => (left ?? null) === (right ?? null);

const own = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

const isPrintable = (value: unknown): value is string | number | boolean =>
  !isEmpty(value) && typeof value !== 'object';

/**
 * A value in an address. A value at the beginning is the address itself, if its scheme is allowed. Elsewhere,
 * a value is encoded, so that it cannot change the host or add a parameter.
 */
function inUrl(text: string, place: 'url' | 'urlPart' | 'contact'): string {
  if (place === 'url') return isSafeUrl(text) ? text.trim() : '';
  // A lone half of a surrogate pair cannot be encoded.
  const encoded = encodeURIComponent(text.toWellFormed());
  return place === 'urlPart' ? encoded : encoded.replace(/%40/g, '@').replace(/%2B/g, '+');
}

const tooLarge = (reason: string): DomainError =>
  DomainError.invalid('data', `The document cannot be rendered with this data: ${reason}.`);
