import { nodeIdOf, type Place } from './nodes.js';

/** Reports that the HTML does not show a part of the document as written. */
export interface RenderWarning {
  /** The `id` of the node, truncated to 100 characters; null if the node has no `id`. */
  nodeId: string | null;
  /** A JSON Pointer (RFC 6901) to the node, such as `/stripes/0/containers/1/blocks/2`. */
  path: string;
  message: string;
}

// A document from another editor may contain thousands of blocks that Galley cannot draw.
const MAX_WARNINGS = 100;
const MAX_PATH_LENGTH = 1_000;

/** Collects the first `MAX_WARNINGS` warnings about a document. */
export class RenderWarnings {
  readonly list: RenderWarning[] = [];

  add({ node, path }: Place, message: string): void {
    if (this.list.length >= MAX_WARNINGS) return;
    this.list.push({ nodeId: nodeIdOf(node), path: pathToShow(path), message });
  }
}

/** A member of a document from another editor may have a name of any length. Returns the path to the nodes around it. */
function pathToShow(path: string): string {
  if (path.length <= MAX_PATH_LENGTH) return path;
  return path.slice(0, path.lastIndexOf('/', MAX_PATH_LENGTH));
}
