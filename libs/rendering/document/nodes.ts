/** A part of a document: any JSON object. */
export type DocumentNode = Record<string, unknown>;

/** A node, and the JSON Pointer (RFC 6901) from the document to the node. */
export interface Place {
  node: DocumentNode;
  path: string;
}

const MAX_ID_LENGTH = 100;

/** The `id` of a node, truncated to 100 characters; null if the node has no `id`. */
export const nodeIdOf = ({ id }: DocumentNode): string | null =>
  typeof id === 'string' ? id.slice(0, MAX_ID_LENGTH) : null;

export const isObject = (value: unknown): value is DocumentNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function objectIn(node: DocumentNode, member: string): DocumentNode {
  const value = node[member];
  return isObject(value) ? value : {};
}

/** Converts a string or a number to text. Returns undefined for any other value. */
export const asText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

export const textIn = (node: DocumentNode, member: string): string | undefined =>
  asText(node[member]);

/**
 * Returns the `$module` member if the node stands for a missing module. In place of a module that cannot be inserted,
 * `libs/documents` inserts a node without content.
 */
export function missingModule(node: DocumentNode): { id: string; problem: string } | undefined {
  const mark = objectIn(node, '$module');
  const { id, problem } = mark;
  return typeof id === 'string' && typeof problem === 'string' ? { id, problem } : undefined;
}
