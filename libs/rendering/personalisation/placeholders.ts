import { randomBytes } from 'node:crypto';
import type { Condition, MergeTag, Repeat } from './expressions.js';

/** A node that is shown only under a condition, or once for each item of a list. */
export interface DynamicNode {
  condition?: Condition | undefined;
  repeat?: Repeat | undefined;
}

/** The position of a placeholder in a text, and the tag or node that it stands for. */
export interface Found {
  start: number;
  end: number;
  kind: 'tag' | 'begin' | 'end';
  number: number;
}

const KINDS = { t: 'tag', b: 'begin', e: 'end' } as const;
// Private-use characters, which are not allowed in CSS values or URL schemes.
const BEGIN = '\ue000';
const END = '\ue001';

/**
 * The placeholders of a document: one for each merge tag, and one before and after each node with a condition or a
 * repetition. MJML copies the placeholders into the HTML, where their positions show how values must be escaped.
 * Authors cannot forge placeholders, because each instance has a random key.
 */
export class Placeholders {
  readonly tags: MergeTag[] = [];
  readonly nodes: DynamicNode[] = [];
  /** Whether values stand in a text from right to left, in which they may be written from left to right. */
  areIsolated = false;
  /** The distinct filters with their options, as JSON. */
  readonly filters = new Set<string>();
  private readonly numbers = new WeakMap<object, number>();
  private readonly key = randomBytes(8).toString('hex');
  private readonly pattern = new RegExp(`${BEGIN}${this.key}([tbe])(\\d+)${END}`, 'g');

  /** Registers a merge tag and returns its placeholder. */
  addTag(tag: MergeTag): string {
    for (const filter of tag.filters) this.filters.add(JSON.stringify(filter));
    return this.write('t', this.tags.push(tag) - 1);
  }

  addNode(node: object, dynamic: DynamicNode): void {
    this.numbers.set(node, this.nodes.push(dynamic) - 1);
  }

  /** The placeholders before and after a node that has a condition or a repetition; undefined for any other node. */
  marksOf(node: object): { begin: string; end: string } | undefined {
    const number = this.numbers.get(node);
    if (number === undefined) return undefined;
    return { begin: this.write('b', number), end: this.write('e', number) };
  }

  find(text: string): Found[] {
    return Array.from(
      text.matchAll(this.pattern),
      ({ 0: { length }, 1: kind, 2: number, index }) => ({
        start: index,
        end: index + length,
        kind: KINDS[kind as keyof typeof KINDS],
        number: Number(number),
      }),
    );
  }

  /**
   * Removes the `mj-raw` elements around the placeholders of nodes. MJML's compiler needs these elements, but the MJML
   * that callers receive must not contain them.
   */
  unwrap(mjml: string): string {
    return mjml.replace(/ *<mj-raw>(\ue000\w+\ue001)<\/mj-raw>\n/g, '$1');
  }

  private write(kind: keyof typeof KINDS, number: number): string {
    return `${BEGIN}${this.key}${kind}${number}${END}`;
  }
}
