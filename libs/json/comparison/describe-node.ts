import type { KnownName } from './tree/content-classes.js';
import { memberOf, type DocumentPair } from './document-pair.js';
import { NONE, type DocumentTree } from './tree/document-tree.js';

const LABEL_NAMES: readonly KnownName[] = ['name', 'title', 'label', 'text', 'content', 'alt'];
const MAX_LABEL_LENGTH = 40;
const MAX_NOUN_LENGTH = 30;
// Only this many characters of a text are searched for a label.
const MAX_TEXT_READ = 2_000;
// For a deeply nested node, a sentence names only the nearest nodes that contain it.
const MAX_ANCESTORS = 4;
const WORDS = /^[\p{L}\p{N} _.:-]+$/u;

/** Describes a node without its position, as in `the text block "Hello"`. */
export function describeNode(pair: DocumentPair, tree: DocumentTree, node: number): string {
  if (node === 0) return 'the document';
  const label = labelOf(pair, tree, node);
  return `the ${kindOf(pair, tree, node)}${label === '' ? '' : ` "${label}"`}`;
}

export const hasLabel = (pair: DocumentPair, tree: DocumentTree, node: number): boolean =>
  labelOf(pair, tree, node) !== '';

/** The nodes that contain a node, outermost first: `stripe 2, container 1`. */
export function describeAncestors(pair: DocumentPair, tree: DocumentTree, node: number): string {
  const ancestors: string[] = [];
  let owner = tree.ownerOf(node);
  for (; owner > 0 && ancestors.length < MAX_ANCESTORS; owner = tree.ownerOf(owner)) {
    ancestors.unshift(`${nounOf(pair, tree, owner)} ${positionOf(tree, owner)}`);
  }
  return ancestors.join(', ');
}

export const positionOf = (tree: DocumentTree, node: number): number => tree.nameOrIndex(node) + 1;

/** The name of the array that contains a node. */
export function listNameOf({ classes }: DocumentPair, tree: DocumentTree, node: number): string {
  let list = tree.parentOf(node);
  while (list > 0 && !tree.isMember(list)) list = tree.parentOf(list);
  return list > 0 ? asWords(classes.nameOf(tree.nameOrIndex(list))) : '';
}

/** Returns `text block` for a block of the type `text`, and `stripe` for a stripe of the type `stripe`. */
function kindOf(pair: DocumentPair, tree: DocumentTree, node: number): string {
  const noun = nounOf(pair, tree, node);
  const type = memberOf(tree, node, pair.classes.nameClass('type'));
  const adjective = type === NONE ? '' : asWords(stringAt(tree, type));
  return adjective === '' || adjective === noun ? noun : `${adjective} ${noun}`;
}

/** The singular of the name of the array that contains the node; `node` if the name has no known plural ending. */
function nounOf(pair: DocumentPair, tree: DocumentTree, node: number): string {
  const name = listNameOf(pair, tree, node);
  if (name === 'children') return 'child';
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  if (/(?:x|ch|sh|ss)es$/.test(name)) return name.slice(0, -2);
  return /[^s]s$/.test(name) ? name.slice(0, -1) : 'node';
}

/** The text as words for a sentence; empty if the text is unsuitable. */
const asWords = (text: string): string =>
  text.length <= MAX_NOUN_LENGTH && WORDS.test(text) ? text.replaceAll(/[_-]+/g, ' ').trim() : '';

/**
 * Finds a label by which a person would recognise the node. Searches the node itself and then the objects directly
 * inside it.
 */
function labelOf({ classes }: DocumentPair, tree: DocumentTree, node: number): string {
  const objects = [node];
  let member = tree.firstChild(node);
  for (; member !== NONE; member = tree.nextChild(member)) {
    if (tree.isObject(member)) objects.push(member);
  }
  for (const object of objects) {
    for (const name of LABEL_NAMES) {
      const value = memberOf(tree, object, classes.nameClass(name));
      const label = value === NONE ? '' : asLabel(stringAt(tree, value));
      if (label !== '') return label;
    }
  }
  return '';
}

/** The value if it is a string; an empty string otherwise. */
function stringAt(tree: DocumentTree, value: number): string {
  const text = tree.textOf(value);
  return text.startsWith('"') ? (JSON.parse(text) as string) : '';
}

/** The beginning of a text, without its HTML tags. */
function asLabel(text: string): string {
  const words = text
    .slice(0, MAX_TEXT_READ)
    .replaceAll(/<[^<>]*>?/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/[\s"]+/g, ' ')
    .trim();
  const characters = Array.from(words);
  return characters.length <= MAX_LABEL_LENGTH
    ? words
    : `${characters.slice(0, MAX_LABEL_LENGTH).join('').trim()}…`;
}
