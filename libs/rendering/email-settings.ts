import { isObject, textIn, type DocumentNode } from './document/index.js';
import type { MergeData } from './personalisation/index.js';

/** Parses a document; a document that is not an object counts as empty, and the renderer then refuses it. */
export function parseObject(content: string): DocumentNode {
  const document: unknown = JSON.parse(content);
  return isObject(document) ? document : {};
}

export const titleOf = (document: DocumentNode): string | undefined => textIn(document, 'title');

/** The values with which the document is shown while nobody supplies data. */
export function sampleDataOf({ sampleData }: DocumentNode): MergeData | undefined {
  return isObject(sampleData) ? sampleData : undefined;
}
