import { nodeIdOf, type Place } from './nodes.js';

/** Something in a document that the HTML does not show as the document says. */
export interface RenderWarning {
  /** The `id` of the node, at most 100 characters of it; null if the node has none. */
  nodeId: string | null;
  /** A JSON Pointer (RFC 6901) to the node, such as `/stripes/0/containers/1/blocks/2`. */
  path: string;
  message: string;
}

// A document of another editor may have thousands of blocks that Galley cannot draw.
const MAX_WARNINGS = 100;

/** The warnings about one document. */
export class RenderWarnings {
  readonly list: RenderWarning[] = [];

  add({ node, path }: Place, message: string): void {
    if (this.list.length >= MAX_WARNINGS) return;
    this.list.push({ nodeId: nodeIdOf(node), path, message });
  }
}
