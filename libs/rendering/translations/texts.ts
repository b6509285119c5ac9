import { inboxTexts, isObject, type DocumentNode } from '../document/index.js';
import { TAG } from '../personalisation/index.js';

/** A text of a node that may have translations. */
export interface NodeText {
  /** The place of the text: in the document itself, or in the `props` of a block, such as `content` or `rows/0/1`. */
  pointer: string;
  /** The JSON Pointer from the document to the text. */
  path: string;
  text: string;
  /** Whether readers see words. The others are URLs, and texts without letters, such as a price. */
  hasWords: boolean;
  replace: (text: string) => void;
}

/** A node with texts, and the JSON Pointer (RFC 6901) from the document to the node. */
export interface NodeTexts {
  node: DocumentNode;
  path: string;
  texts: NodeText[];
}

const DOCUMENT_TEXTS: readonly string[] = [...inboxTexts, 'title'];
const LISTS_OF_NODES = ['stripes', 'structures', 'containers', 'blocks'];
const WORDS = new Set(['content', 'alt', 'title']);
// A picture with words, and a page in another language, have URLs of their own.
const URLS = new Set(['src', 'href', 'poster']);
const LISTS_OF_TEXTS = new Set(['items', 'header', 'rows', 'cells']);
const LISTS_OF_OBJECTS = new Set([...LISTS_OF_TEXTS, 'elements', 'links']);
const MARKUP = /<[^<>]*>/g;
const LETTER = /\p{L}/u;

/** Finds the nodes of a document or of a module, and their texts. Each node comes after the node that contains it. */
export function* nodesWithTexts(node: DocumentNode, path = ''): Generator<NodeTexts> {
  const { props } = node;
  const found = [
    ...(path === '' ? documentTexts(node) : []),
    ...(isObject(props) ? textsIn(props, '', 'props/') : []),
  ];
  const texts = found.map((text) => ({ ...text, path: `${path}/${text.path}` }));
  if (texts.length > 0 || node['translations'] !== undefined) yield { node, path, texts };
  for (const member of LISTS_OF_NODES) {
    const list = node[member];
    if (!Array.isArray(list)) continue;
    for (const [index, each] of (list as unknown[]).entries()) {
      if (isObject(each)) yield* nodesWithTexts(each, `${path}/${member}/${index}`);
    }
  }
}

const documentTexts = (document: DocumentNode): NodeText[] =>
  DOCUMENT_TEXTS.flatMap((name) => textAt(document, name, name));

/** @param base the path of the object that the pointers begin at. */
function* textsIn(object: DocumentNode, prefix: string, base: string): Generator<NodeText> {
  for (const [name, value] of Object.entries(object)) {
    const pointer = prefix + name;
    if (WORDS.has(name) || URLS.has(name)) yield* textAt(object, name, pointer, base);
    else if (LISTS_OF_OBJECTS.has(name) && Array.isArray(value)) {
      yield* textsInList(value, `${pointer}/`, base, LISTS_OF_TEXTS.has(name));
    }
  }
}

function* textsInList(
  list: unknown[],
  prefix: string,
  base: string,
  hasTexts: boolean,
): Generator<NodeText> {
  for (const [index, each] of list.entries()) {
    const pointer = `${prefix}${index}`;
    if (isObject(each)) yield* textsIn(each, `${pointer}/`, base);
    // The rows of a table are lists of cells.
    else if (Array.isArray(each)) yield* textsInList(each, `${pointer}/`, base, hasTexts);
    else if (hasTexts) yield* textAt(list, index, pointer, base);
  }
}

function textAt(owner: object, member: string | number, pointer: string, base = ''): NodeText[] {
  const values = owner as Record<string | number, unknown>;
  const text = values[member];
  if (typeof text !== 'string' || text.trim() === '') return [];
  const isUrl = typeof member === 'string' && URLS.has(member);
  const hasWords = !isUrl && LETTER.test(text.replace(TAG, '').replace(MARKUP, ''));
  const replace = (other: string) => void (values[member] = other);
  return [{ pointer, path: base + pointer, text, hasWords, replace }];
}
