import type { ExpandProblem } from '#documents';
import type { Placeholders } from '../personalisation/placeholders.js';
import { escapeText, type MjmlNode } from './mjml-node.js';

/** A part of a document: any JSON object. */
export type DocumentNode = Record<string, unknown>;

/** A part of a document that the HTML does not show as it is written. */
export interface RenderWarning {
  /** The `id` of the node, at most 100 characters of it; null if the node has none. */
  nodeId: string | null;
  /** A JSON Pointer (RFC 6901) to the node, such as `/stripes/0/containers/1/blocks/2`. */
  path: string;
  message: string;
}

// A document of another editor may have thousands of blocks that Galley cannot draw.
const MAX_WARNINGS = 100;
const MAX_ID_LENGTH = 100;
// Each node takes up to 1.5 KB of HTML. A long newsletter has some 300 nodes.
const MAX_NODES = 10_000;

/** Thrown if Galley cannot draw the document at all. The message continues `The document cannot be rendered: `. */
export class Undrawable extends Error {
  override readonly name = 'Undrawable';
}

export class Drawing {
  readonly warnings: RenderWarning[] = [];
  /** Whether the head needs the style sheet that hides nodes. */
  usesVisibility = false;
  private nodeCount = 0;

  constructor(private readonly placeholders: Placeholders) {}

  warn({ node, path }: Place, message: string): void {
    if (this.warnings.length >= MAX_WARNINGS) return;
    this.warnings.push({ nodeId: nodeIdOf(node), path, message });
  }

  /**
   * The objects in an array of the document, with their places.
   *
   * @throws Undrawable if the document has too many of them.
   */
  placesIn(place: Place, member: string): Place[] {
    const value = place.node[member];
    if (value === undefined) return [];
    if (!Array.isArray(value)) {
      this.warn(place, `${member} is left out: it must be a list.`);
      return [];
    }
    this.nodeCount += value.length;
    if (this.nodeCount > MAX_NODES) {
      throw new Undrawable('it has more than 10,000 stripes, containers, blocks and links.');
    }
    const places = value.flatMap((each: unknown, index) =>
      isObject(each) ? [{ node: each, path: `${place.path}/${member}/${index}` }] : [],
    );
    if (places.length < value.length) {
      this.warn(place, `Elements of ${member} that are not objects are left out.`);
    }
    for (const each of places) this.warnOfMissingModule(each);
    return places;
  }

  /** A value of a node, or the default, with a warning if the node has another value. */
  valueOr<Value>(
    defaultValue: Value,
    place: Place,
    name: string,
    value: unknown,
    isValid: (value: unknown) => value is Value,
  ): Value {
    if (value === undefined) return defaultValue;
    if (isValid(value)) return value;
    this.warn(place, `${name} has a value that cannot be drawn, and is left out.`);
    return defaultValue;
  }

  private warnOfMissingModule(place: Place): void {
    const missing = missingModule(place.node);
    if (missing === undefined) return;
    const { id, problem } = missing;
    const reason = Object.hasOwn(PROBLEMS, problem) ? PROBLEMS[problem] : 'cannot be found';
    this.warn(place, `The module ${id} is left out: it ${reason}.`);
  }

  /** Marks the elements of a node that has a condition or a repetition. */
  mark({ node }: Place, elements: MjmlNode[]): MjmlNode[] {
    const marks = this.placeholders.marksOf(node);
    if (marks === undefined) return elements;
    return [raw(marks.begin)].concat(elements, raw(marks.end));
  }

  /** Marks the HTML of a row or an entry that has a condition or a repetition. */
  markText(node: object, html: string): string {
    const marks = this.placeholders.marksOf(node);
    return marks === undefined ? html : marks.begin + html + marks.end;
  }

  /** A comment in the place of something that Galley cannot draw. */
  leaveOut(place: Place, what: string): MjmlNode {
    this.warn(place, `${what} is left out.`);
    // A comment must not contain `--` or `>`, and must not begin a condition of Outlook (`[if`).
    const text = escapeText(`${what} at ${place.path}`).replace(/[-[\]]/g, ' ');
    return raw(`<!-- Left out: ${text} -->`);
  }
}

const raw = (content: string): MjmlNode => ({ tagName: 'mj-raw', content });

const PROBLEMS: Record<string, string> = {
  not_found: 'was deleted, or you may not read it',
  wrong_kind: 'has another type now, which does not fit here',
  too_deep: 'is nested more than five modules deep',
  too_large: 'would make the document too large',
} satisfies Record<ExpandProblem, string>;

/** The mark of the empty node that stands in the place of a module that could not be found. */
export function missingModule(node: DocumentNode): { id: string; problem: string } | undefined {
  const mark = objectIn(node, '$module');
  const { id, problem } = mark;
  return typeof id === 'string' && typeof problem === 'string' ? { id, problem } : undefined;
}

/** A node, and where it is in the document. */
export interface Place {
  node: DocumentNode;
  path: string;
}

/** The `id` of a node, at most 100 characters of it; null if the node has none. */
export const nodeIdOf = ({ id }: DocumentNode): string | null =>
  typeof id === 'string' ? id.slice(0, MAX_ID_LENGTH) : null;

export const isObject = (value: unknown): value is DocumentNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function objectIn(node: DocumentNode, member: string): DocumentNode {
  const value = node[member];
  return isObject(value) ? value : {};
}

/** A text or a number, as text. */
export const asText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

export const textIn = (node: DocumentNode, member: string): string | undefined =>
  asText(node[member]);
