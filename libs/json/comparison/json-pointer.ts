import type { DocumentPair } from './document-pair.js';
import { NONE, type DocumentTree } from './tree/document-tree.js';

/** Escapes a name for a JSON Pointer (RFC 6901), and puts a slash before the name. */
export const pointerToken = (name: string): string =>
  `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The last reference token of the pointer to a value. */
export const pointerTokenOf = (
  { classes }: DocumentPair,
  tree: DocumentTree,
  value: number,
): string =>
  tree.isMember(value)
    ? pointerToken(classes.nameOf(tree.nameOrIndex(value)))
    : `/${tree.nameOrIndex(value)}`;

export function pointerTo(pair: DocumentPair, tree: DocumentTree, value: number): string {
  let pointer = '';
  for (let each = value; tree.parentOf(each) !== NONE; each = tree.parentOf(each)) {
    pointer = pointerTokenOf(pair, tree, each) + pointer;
  }
  return pointer;
}
