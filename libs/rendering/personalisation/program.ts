import type { Condition, MergeTag, Operand, Path } from './expressions.js';
import type { DynamicNode, Found, Placeholders } from './placeholders.js';
import { placeInUrl, placesIn, type PlaceOf, type PlaceOfTag } from './places.js';

export interface TagPart {
  tag: MergeTag;
  place: PlaceOfTag;
  /** The name of the variable, such as `order.items[].price` for `item.price`. */
  name: string;
}

export interface NodePart extends DynamicNode {
  parts: Part[];
  /** The name of the repeated list; empty if the node has no repetition. */
  listName: string;
}

export type Part = string | TagPart | NodePart;

/**
 * How the result is written: as HTML, as plain text with lines of limited length, or as a single line of plain text.
 */
export type Form = 'html' | 'text' | 'line';

/** A rendered document in which the merge tags, conditions and repetitions are not evaluated yet. */
export interface Program {
  parts: Part[];
  form: Form;
  /** The names of the variables, at most 1,000. */
  variables: Set<string>;
}

/** Builds a program from HTML or MJML with placeholders. */
export const htmlProgram = (html: string, placeholders: Placeholders): Program =>
  new Builder(html, placeholders, 'html').build(
    // Parsing the HTML takes a quarter of the rendering time, so it is skipped if there are no merge tags.
    placeholders.tags.length === 0 ? () => undefined : placesIn(html),
  );

/**
 * Builds a program from plain text with placeholders.
 *
 * @param urlTags the numbers of the tags that are inside URLs.
 */
export function textProgram(
  text: string,
  placeholders: Placeholders,
  urlTags: ReadonlySet<number>,
): Program {
  const placeOf = ({ start, number }: Found): PlaceOfTag => {
    if (!urlTags.has(number)) return 'text';
    let begin = start;
    while (start - begin < MAX_URL_LENGTH && /[^\s[]/.test(text.charAt(begin - 1))) begin--;
    return placeInUrl(text.slice(begin, start));
  };
  return new Builder(text, placeholders, 'text').build(placeOf);
}

/** Builds a program from a text with placeholders, such as a subject. The result is a single line. */
export const lineProgram = (text: string, placeholders: Placeholders): Program =>
  new Builder(text, placeholders, 'line').build(() => 'text');

// Longer URLs are left out when the document is drawn.
const MAX_URL_LENGTH = 2_000;

/** The indexes (in `placeholders.tags`) of the merge tags that are inside URLs in the HTML. */
export function tagsInUrls(html: string, placeholders: Placeholders): Set<number> {
  const placeOf = placesIn(html);
  const inUrls = placeholders.find(html).filter((found) => {
    const place = placeOf(found);
    return found.kind === 'tag' && place !== undefined && place !== 'text' && place !== 'attribute';
  });
  return new Set(inUrls.map(({ number }) => number));
}

// Between these characters, the order of letters does not depend on the text around them (UAX #9, section 2.6).
const ISOLATE = '\u2068';
const END_ISOLATE = '\u2069';

/** A node whose end has not been reached yet. */
interface OpenNode {
  number: number;
  part: NodePart;
}

/** The maximum number of names in each list of variables of a response. */
export const MAX_VARIABLES = 1_000;
// The name of a nested list contains the names of the lists around it, so names may become long.
const MAX_NAME_LENGTH = 500;

/** Splits a text at its placeholders. */
class Builder {
  private readonly variables = new Set<string>();
  private readonly parts: Part[] = [];
  private readonly open: OpenNode[] = [];

  constructor(
    private readonly text: string,
    private readonly placeholders: Placeholders,
    private readonly form: Form,
  ) {}

  build(placeOf: PlaceOf): Program {
    let position = 0;
    for (const found of this.placeholders.find(this.text)) {
      this.add(this.text.slice(position, found.start));
      position = found.end;
      if (found.kind === 'tag') this.addTag(found.number, placeOf(found));
      else if (found.kind === 'begin') this.begin(found.number);
      else if (this.open.pop()?.number !== found.number) throw notNested();
    }
    if (this.open.length > 0) throw notNested();
    this.add(this.text.slice(position));
    return { parts: this.parts, form: this.form, variables: this.variables };
  }

  private add(part: Part): void {
    if (part !== '') (this.open.at(-1)?.part.parts ?? this.parts).push(part);
  }

  private addTag(number: number, place: PlaceOfTag | undefined): void {
    const tag = this.placeholders.tags[number];
    if (tag === undefined || place === undefined) return;
    const isolates = this.placeholders.areIsolated && place === 'text';
    if (isolates) this.add(ISOLATE);
    this.add({ tag, place, name: this.use(tag.path) });
    if (isolates) this.add(END_ISOLATE);
  }

  private begin(number: number): void {
    const { condition, repeat } = this.placeholders.nodes[number] ?? {};
    const listName = repeat ? this.use(repeat.path) : '';
    const part = { condition, repeat, listName, parts: [] };
    this.add(part);
    this.open.push({ number, part });
    if (condition) this.useCondition(condition);
  }

  /** Registers a variable and returns its name from the root of the data. */
  private use([first = '', ...rest]: Path): string {
    const repeated = this.open.findLast(({ part }) => part.repeat?.item === first)?.part.listName;
    const path = [repeated === undefined ? first : `${repeated}[]`].concat(rest).join('.');
    const name = path.slice(0, MAX_NAME_LENGTH);
    if (this.variables.size < MAX_VARIABLES) this.variables.add(name);
    return name;
  }

  private useCondition(condition: Condition): void {
    if ('or' in condition) condition.or.forEach((each) => this.useCondition(each));
    else if ('and' in condition) condition.and.forEach((each) => this.useCondition(each));
    else if ('not' in condition) this.useCondition(condition.not);
    else if ('operand' in condition) this.registerOperand(condition.operand);
    else {
      this.registerOperand(condition.left);
      this.registerOperand(condition.right);
    }
  }

  private registerOperand(operand: Operand): void {
    if ('path' in operand) this.use(operand.path);
  }
}

const notNested = (): Error => new Error('The placeholders of the document are not nested');
