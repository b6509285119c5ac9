import { escapeMarkup, escapeText, isSafeUrl, MAX_RESULT_CHARACTERS } from '../document/index.js';
import { layoutText } from './layout-text.js';
import * as cost from './cost.js';
import type { Condition, MergeTag, Operand, Path } from './expressions.js';
import { applyFilter, isEmpty } from './filters.js';
import type { PlaceOfTag, UrlPlace } from './places.js';
import type { NodePart, Part, Program, TagPart } from './program.js';

/** The data of one recipient: a JSON object. */
export type MergeData = Readonly<Record<string, unknown>>;

/** The repeated items that an expression can refer to by name, innermost first. */
interface Scope {
  name: string;
  value: unknown;
  outer: Scope | undefined;
}

/** A stack frame: the parts of the document, or of a node that is written once for each item. */
interface Frame {
  parts: readonly Part[];
  position: number;
  scope: Scope | undefined;
  node?: NodePart;
  items: readonly unknown[];
  nextItem: number;
  outer: Frame | undefined;
}

// A node without a repetition is shown once.
const ONCE = [undefined];

/**
 * Runs the compiled parts of one document with the data of one recipient. Without data, merge tags are kept as written,
 * and each node is shown once.
 *
 * Only own properties of the data are read, and no value becomes part of an expression.
 */
export class Personalisation {
  /** The variables without a usable value in the data: lists of repetitions, and merge tags that have no default. */
  readonly missing = new Set<string>();
  private output: string[] = [];
  private isHtml = true;
  private length = 0;
  private readonly cost: cost.Cost;

  constructor(
    private readonly data: MergeData | undefined,
    private readonly locale: string,
  ) {
    this.cost = new cost.Cost(data !== undefined);
  }

  /**
   * Fills in a program. Yields about every 0.1 ms, but a single value may take a few milliseconds.
   *
   * @throws DomainError `invalid` if the data makes the results too large or too expensive.
   */
  *fillInSteps({ parts, form }: Program): Generator<void, string> {
    this.output = [];
    this.isHtml = form === 'html';
    let frame: Frame | undefined = this.frameOf(parts, undefined, undefined);
    // Nested generators would take most of the time, so one generator works through a stack of frames.
    while (frame !== undefined) {
      if (this.cost.passCheckpoint()) yield;
      const part: Part | undefined = frame.parts[frame.position++];
      if (part === undefined) {
        if (!this.enterNextItem(frame)) frame = frame.outer;
      } else if (typeof part === 'string') this.add(part);
      else if ('parts' in part) frame = this.enter(part, frame);
      else if (this.data === undefined) this.writeSource(part);
      else {
        let value = this.valueOf(part, frame.scope);
        for (const filter of part.tag.filters) {
          this.cost.spend(cost.FILTER);
          value = applyFilter(value, filter, this.locale, this.cost);
          if (this.cost.passCheckpoint()) yield;
        }
        this.writeValue(value, part.place);
      }
    }
    const text = this.output.join('');
    if (form === 'line') return asLine(text);
    return form === 'html' ? text : yield* layoutText(text);
  }

  /** Like `fillInSteps`, but without pauses. Call this method only in threads that may be blocked. */
  fill(program: Program): string {
    const work = this.fillInSteps(program);
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
    }
  }

  private frameOf(
    parts: readonly Part[],
    scope: Scope | undefined,
    outer: Frame | undefined,
  ): Frame {
    return { parts, position: 0, scope, items: [], nextItem: 0, outer };
  }

  private enter(node: NodePart, outer: Frame): Frame {
    this.cost.spend(cost.PART);
    const { parts, repeat, listName } = node;
    const frame: Frame = {
      parts,
      // The position is after the last part, as if an item had just ended, so the next step begins the first item.
      position: parts.length,
      scope: outer.scope,
      node,
      items: ONCE,
      nextItem: 0,
      outer,
    };
    if (repeat === undefined) return frame;
    const items = this.data && this.read(repeat.path, outer.scope);
    if (Array.isArray(items)) frame.items = items;
    else {
      this.missing.add(listName);
      // Without data, each node is shown once.
      if (this.data) frame.items = [];
    }
    return frame;
  }

  /** Returns false if there are no more items. */
  private enterNextItem(frame: Frame): boolean {
    if (frame.nextItem >= frame.items.length) return false;
    this.cost.spend(cost.PART);
    const item = frame.items[frame.nextItem++];
    const { condition, repeat } = frame.node ?? {};
    const outer = frame.outer?.scope;
    if (repeat) frame.scope = { name: repeat.item, value: item, outer };
    const isShown = !this.data || condition === undefined || this.isTrue(condition, frame.scope);
    frame.position = isShown ? 0 : frame.parts.length;
    return true;
  }

  private add(text: string): void {
    this.length += text.length;
    // Without data, the result is about as long as the compiled document, whose length `compile` has checked.
    if (this.data && this.length > MAX_RESULT_CHARACTERS) {
      throw cost.dataTooExpensive('the result has more than 8,000,000 characters');
    }
    const { length } = text;
    this.cost.spend(length / cost.WRITTEN + (this.isHtml ? 0 : length / cost.LAID_OUT));
    this.output.push(text);
  }

  private writeSource({ tag, place, name }: TagPart): void {
    this.cost.spend(cost.PART);
    if (!hasDefault(tag)) this.missing.add(name);
    this.add(this.isHtml ? escapeTag(tag, place) : `{{${tag.source}}}`);
  }

  private valueOf({ tag, name }: TagPart, scope: Scope | undefined): unknown {
    this.cost.spend(cost.PART);
    const value = this.read(tag.path, scope);
    if (isPrintable(value)) return value;
    if (!hasDefault(tag)) this.missing.add(name);
    return undefined;
  }

  private writeValue(value: unknown, place: PlaceOfTag): void {
    let text = isPrintable(value) ? String(value) : '';
    if (place !== 'text' && place !== 'attribute') {
      this.cost.spend(text.length / cost.ENCODED);
      text = inUrl(text, place);
    }
    if (this.isHtml) {
      text = escapeText(text);
      this.cost.spend(text.length / cost.ESCAPED);
    }
    this.add(text);
  }

  private isTrue(condition: Condition, scope: Scope | undefined): boolean {
    this.cost.spend(cost.OPERATOR);
    if ('or' in condition) {
      for (const each of condition.or) if (this.isTrue(each, scope)) return true;
      return false;
    }
    if ('and' in condition) {
      for (const each of condition.and) if (!this.isTrue(each, scope)) return false;
      return true;
    }
    if ('not' in condition) return !this.isTrue(condition.not, scope);
    if ('operand' in condition) {
      const value = this.evaluate(condition.operand, scope);
      return Array.isArray(value) ? value.length > 0 : Boolean(value);
    }
    const left = this.evaluate(condition.left, scope);
    const right = this.evaluate(condition.right, scope);
    if (typeof left === 'string' && typeof right === 'string') {
      this.cost.spend(Math.min(left.length, right.length) / cost.COMPARED);
    }
    if (condition.comparison === '==') return isEqual(left, right);
    if (condition.comparison === '!=') return !isEqual(left, right);
    const areComparable =
      (typeof left === 'number' && typeof right === 'number') ||
      (typeof left === 'string' && typeof right === 'string');
    return areComparable && COMPARE[condition.comparison](left, right);
  }

  private evaluate(operand: Operand, scope: Scope | undefined): unknown {
    return 'path' in operand ? this.read(operand.path, scope) : operand.value;
  }

  private read(path: Path, scope: Scope | undefined): unknown {
    const [first = ''] = path;
    let names = path.length;
    let item = scope;
    for (; item !== undefined && item.name !== first; item = item.outer) names++;
    this.cost.spend(names * cost.NAME);
    let value = item ? item.value : own(this.data, first);
    for (let at = 1; at < path.length; at++) value = own(value, path[at] ?? '');
    return value;
  }
}

// Mail clients show far less.
const MAX_LINE_LENGTH = 998;
// Cutting a text of 1 MB after the replacement would block the event loop for a tenth of a second.
const MAX_READ = 10 * MAX_LINE_LENGTH;
const ISOLATED = /\u2068[^\u2069]*$/;

/** A line break would begin another header of the message, so white space and control characters become a space. */
function asLine(text: string): string {
  const line = text
    .slice(0, MAX_READ)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (line.length <= MAX_LINE_LENGTH) return line;
  const cut = line
    .slice(0, MAX_LINE_LENGTH)
    // The cut may split a surrogate pair, or a merge tag that is kept as written.
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/\{\{?[^{}]*$/, '');
  return ISOLATED.test(cut) ? `${cut}\u2069` : cut;
}

const hasDefault = ({ filters }: MergeTag): boolean =>
  filters.some(({ name }) => name === 'default');

/**
 * Escapes a tag that is kept as written. Quotes must not become entities, so that another program can parse the tag.
 */
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
 * Prepares a value for a URL. At the beginning of the URL, the value is kept unchanged if its scheme is allowed.
 * Elsewhere, the value is encoded, so that it cannot change the host or add a parameter.
 */
function inUrl(text: string, place: UrlPlace): string {
  if (place === 'url') return isSafeUrl(text) ? text.trim() : '';
  // `encodeURIComponent` would throw an error for a lone surrogate.
  const encoded = encodeURIComponent(text.toWellFormed());
  return place === 'urlPart' ? encoded : encoded.replace(/%40/g, '@').replace(/%2B/g, '+');
}
