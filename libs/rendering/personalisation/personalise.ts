import { DomainError } from '#errors';
import { escapeMarkup, escapeText } from '../mjml/mjml-node.js';
import { isSafeUrl } from '../mjml/safe-url.js';
import type { Condition, MergeTag, Operand, Path } from './expressions.js';
import { layoutText } from '../text/layout-text.js';
import { MAX_RESULT_CHARACTERS } from '../render-formats.js';
import { applyFilter, isEmpty } from './filters.js';
import type { PlaceOfTag, UrlPlace } from './places.js';
import type { NodePart, Part, Program, TagPart } from './program.js';

/** The data of one recipient: a JSON object. */
export type MergeData = Readonly<Record<string, unknown>>;

// The event loop may be blocked for 20 ms. A step takes 0.2 to 0.5 µs, a filter up to 2 µs.
const MAX_STEPS = 50_000;
const STEPS_OF_FILTER = 5;
const CHARACTERS_PER_STEP = 50;

/** A name of a repeated item, and the item. */
type Scope = readonly (readonly [name: string, value: unknown])[];

/**
 * Puts the data of one recipient into the programs of one document. Without data, merge tags stay as they are
 * written, and each node is shown once.
 *
 * Data is only read by its own properties, and no value becomes part of an expression.
 */
export class Personalisation {
  /** The names of merge tags without a default and of lists that have no value in the data. */
  readonly missing = new Set<string>();
  private output: string[] = [];
  private isHtml = true;
  private steps = 0;
  private length = 0;

  constructor(
    private readonly data: MergeData | undefined,
    private readonly locale: string,
  ) {}

  /** @throws DomainError `invalid` if the data makes the results too large. */
  fill({ parts, isHtml }: Program): string {
    this.output = [];
    this.isHtml = isHtml;
    this.write(parts, []);
    const text = this.output.join('');
    return isHtml ? text : layoutText(text);
  }

  private write(parts: readonly Part[], scope: Scope): void {
    for (const part of parts) {
      if (typeof part === 'string') this.add(part);
      else if (this.data === undefined) this.writeSource(part);
      else if ('tag' in part) this.add(this.valueOf(part, scope));
      else this.writeNode(part, scope);
    }
  }

  private add(text: string): void {
    this.length += text.length;
    // Without data, the results are about as long as those that the thread has measured.
    if (this.data && this.length > MAX_RESULT_CHARACTERS) {
      throw tooLarge('the result has more than 8,000,000 characters');
    }
    // Laying out a plain text takes time for each character.
    if (this.data && !this.isHtml) this.spend(text.length / CHARACTERS_PER_STEP);
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
    const { tag, place, name } = part;
    if (!hasDefault(tag)) this.missing.add(name);
    this.add(this.isHtml ? escapeTag(tag, place) : `{{${tag.source}}}`);
  }

  private valueOf({ tag, place, name }: TagPart, scope: Scope): string {
    let value = this.read(tag.path, scope);
    if (!isPrintable(value)) {
      if (!hasDefault(tag)) this.missing.add(name);
      value = undefined;
    }
    for (const filter of tag.filters) {
      this.spend(STEPS_OF_FILTER + lengthOf(value) / CHARACTERS_PER_STEP);
      value = applyFilter(value, filter, this.locale);
    }
    const text = isPrintable(value) ? String(value) : '';
    this.spend(text.length / CHARACTERS_PER_STEP);
    const placed = place === 'text' || place === 'attribute' ? text : inUrl(text, place);
    return this.isHtml ? escapeText(placed) : placed;
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
    this.spend(path.length + lengthOf(value) / CHARACTERS_PER_STEP);
    return value;
  }

  private spend(steps: number): void {
    this.steps += steps;
    if (this.steps > MAX_STEPS) {
      throw tooLarge(
        'it fills too many merge tags, conditions and repetitions, or too long values',
      );
    }
  }
}

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0);

const hasDefault = ({ filters }: MergeTag): boolean =>
  filters.some(({ name }) => name === 'default');

/** A tag as it is written, so that another program can read it: quotes must not become entities. */
function escapeTag({ source }: MergeTag, place: PlaceOfTag): string {
  if (place === 'text') return escapeMarkup(`{{${source}}}`);
  // In an attribute, double quotes would end the value.
  return escapeMarkup(
    `{{${source.includes("'") ? source : source.replaceAll('"', "'")}}}`,
  ).replaceAll('"', '&quot;');
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
function inUrl(text: string, place: UrlPlace): string {
  if (place === 'url') return isSafeUrl(text) ? text.trim() : '';
  // A lone half of a surrogate pair cannot be encoded.
  const encoded = encodeURIComponent(text.toWellFormed());
  return place === 'urlPart' ? encoded : encoded.replace(/%40/g, '@').replace(/%2B/g, '+');
}

const tooLarge = (reason: string): DomainError =>
  DomainError.invalid('data', `The document cannot be rendered with this data: ${reason}.`);
