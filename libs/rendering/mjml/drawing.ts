import { escapeText, type MjmlNode } from './mjml-node.js';

/** A part of a document: any JSON object. */
export type DocumentNode = Record<string, unknown>;

/** Something in a document that the HTML does not show as the document says. */
export interface RenderWarning {
  /** The `id` of the nearest node that has one; null if there is none. */
  nodeId: string | null;
  /** A JSON Pointer (RFC 6901) to the node, such as `/stripes/0/containers/1/blocks/2`. */
  path: string;
  message: string;
}

// A document of another editor may have thousands of blocks that Galley cannot draw.
const MAX_WARNINGS = 100;
// Each takes up to 1 KB of HTML. A long newsletter has some 300.
const MAX_NODES = 10_000;

/** Thrown if Galley cannot draw the document at all. The message continues `The document cannot be rendered: `. */
export class Undrawable extends Error {
  override readonly name = 'Undrawable';
}

/** The drawing of one document. */
export class Drawing {
  readonly warnings: RenderWarning[] = [];
  private nodeCount = 0;

  warn({ node, path }: Place, message: string): void {
    if (this.warnings.length >= MAX_WARNINGS) return;
    const nodeId = typeof node['id'] === 'string' ? node['id'] : null;
    this.warnings.push({ nodeId, path, message });
  }

  /**
   * The objects in an array of the document, with their places.
   *
   * @throws Undrawable if the document has too many of them.
   */
  placesIn({ node, path }: Place, member: string): Place[] {
    const value = node[member];
    if (!Array.isArray(value)) return [];
    this.nodeCount += value.length;
    if (this.nodeCount > MAX_NODES) {
      throw new Undrawable('it has more than 10,000 stripes, containers and blocks.');
    }
    return value.flatMap((each: unknown, index) =>
      isObject(each) ? [{ node: each, path: `${path}/${member}/${index}` }] : [],
    );
  }

  /** A comment in the place of something that Galley cannot draw. */
  leaveOut(place: Place, what: string): MjmlNode {
    this.warn(place, `${what} is left out.`);
    // A comment must not contain `--` or `>`, and must not begin a condition of Outlook (`[if`).
    const text = escapeText(`${what} at ${place.path}`).replace(/[-[\]]/g, ' ');
    return { tagName: 'mj-raw', content: `<!-- Left out: ${text} -->` };
  }
}

/** A node, and where it is in the document. */
export interface Place {
  node: DocumentNode;
  path: string;
}

export const isObject = (value: unknown): value is DocumentNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectIn = (node: DocumentNode, member: string): DocumentNode => {
  const value = node[member];
  return isObject(value) ? value : {};
};

/** A text or a number of a node, as text. */
export function textIn(node: DocumentNode, member: string): string | undefined {
  const value = node[member];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
