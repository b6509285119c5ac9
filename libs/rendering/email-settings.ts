import { isObject, textIn, type DocumentNode } from './document/index.js';
import type { MergeData } from './personalisation/index.js';

/** Parses a document; a document that is not an object counts as empty, and the renderer then refuses it. */
export function parseObject(content: string): DocumentNode {
  const document: unknown = JSON.parse(content);
  return isObject(document) ? document : {};
}

/** The subject of an email: the title of the document, or the name of the template. */
export const subjectOf = (document: DocumentNode, name: string): string =>
  textIn(document, 'title') ?? name;

/** The values with which the document is shown while nobody supplies data. */
export function sampleDataOf({ sampleData }: DocumentNode): MergeData | undefined {
  return isObject(sampleData) ? sampleData : undefined;
}
