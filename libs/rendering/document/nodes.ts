/** A part of a document: any JSON object. */
export type DocumentNode = Record<string, unknown>;

/** A node, and where it is in the document. */
export interface Place {
  node: DocumentNode;
  path: string;
}

const MAX_ID_LENGTH = 100;

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

/** The mark of the empty node that stands in the place of a module that could not be found. */
export function missingModule(node: DocumentNode): { id: string; problem: string } | undefined {
  const mark = objectIn(node, '$module');
  const { id, problem } = mark;
  return typeof id === 'string' && typeof problem === 'string' ? { id, problem } : undefined;
}
