import { canonicalToken } from './canonical-token.js';
import { hashOfContainer, hashOfText } from './content-hash.js';
import { NONE, type DocumentTree } from './document-tree.js';
import { afterString } from './read-tree.js';

// Classifying this many values takes 0.1 ms or less, unless a value is very large.
const VALUES_BETWEEN_CHECKPOINTS = 256;

// Marks the classes of objects and arrays in `ends`. For these classes, `starts` contains the number of a value instead
// of an offset.
const CONTAINER = 0;

/** The names whose classes `ContentClasses.nameClass` knows. */
const KNOWN_NAMES = ['id', 'type', 'name', 'title', 'label', 'text', 'content', 'alt'] as const;
export type KnownName = (typeof KNOWN_NAMES)[number];
const KNOWN_TOKENS = new Map<string, KnownName>(KNOWN_NAMES.map((name) => [`"${name}"`, name]));

/**
 * Assigns a class, which is a number, to each distinct content of two documents. Two values have the same class if and
 * only if their contents are equal. The order of members, white space, escapes and number formats do not matter. The
 * name of a member has the same class as an equal string.
 *
 * Classes are looked up by hash, and contents with equal hashes are compared. After that, comparing two values of any
 * size means comparing two numbers.
 */
export class ContentClasses {
  count = 0;
  private readonly nameClasses = new Map<KnownName, number>();
  /**
   * A hash table with open addressing, which never has to grow. Each slot holds a class plus 1, or 0 if the slot is
   * empty.
   */
  private readonly table: Int32Array;
  private readonly mask: number;
  private readonly hashes: Int32Array;
  /** The location of the first value or name of each class. */
  private readonly documents: Uint8Array;
  private readonly starts: Int32Array;
  private readonly ends: Int32Array;
  /** The most recently classified member with each name, by the class of the name. */
  private readonly memberByName: Int32Array;

  constructor(private readonly trees: readonly DocumentTree[]) {
    const capacity = trees.reduce((sum, tree) => sum + tree.count + tree.memberCount, 0);
    const size = 2 ** Math.ceil(Math.log2(2 * capacity));
    this.table = new Int32Array(size);
    this.mask = size - 1;
    this.hashes = new Int32Array(capacity);
    this.documents = new Uint8Array(capacity);
    this.starts = new Int32Array(capacity);
    this.ends = new Int32Array(capacity);
    this.memberByName = new Int32Array(capacity);
  }

  /** Sets the classes of all values and names. */
  *classify(): Generator<void> {
    for (const [document, tree] of this.trees.entries()) {
      this.memberByName.fill(NONE);
      // Values inside a value have higher numbers, so this order classifies them first.
      for (let value = tree.count - 1; value >= 0; value--) {
        this.classifyValue(document, tree, value);
        if (value % VALUES_BETWEEN_CHECKPOINTS === 0) yield;
      }
    }
  }

  /** The class of a name; NONE if neither document contains the name. */
  nameClass(name: KnownName): number {
    return this.nameClasses.get(name) ?? NONE;
  }

  nameOf(nameClass: number): string {
    const { text } = this.treeOf(nameClass);
    const token = text.slice(this.starts[nameClass], this.ends[nameClass]);
    return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
  }

  private classifyValue(document: number, tree: DocumentTree, value: number): void {
    if (tree.isMember(value)) {
      const start = tree.nameOrIndex(value);
      tree.setName(value, this.classOfToken(document, start, afterString(tree.text, start)));
    }
    const isContainer = tree.isContainer(value);
    const contentClass = isContainer
      ? this.find(hashOfContainer(tree, value, this.memberByName), document, value, CONTAINER)
      : this.classOfToken(document, tree.startOf(value), tree.endOf(value));
    tree.setClass(value, contentClass);
  }

  private classOfToken(document: number, start: number, end: number): number {
    const { text } = this.trees[document] as DocumentTree;
    const token = text.slice(start, end);
    const canonical = canonicalToken(token);
    const hash =
      canonical === token
        ? hashOfText(text, start, end)
        : hashOfText(canonical, 0, canonical.length);
    const countBefore = this.count;
    const found = this.find(hash, document, start, end);
    const knownName = found === countBefore ? KNOWN_TOKENS.get(canonical) : undefined;
    if (knownName !== undefined) this.nameClasses.set(knownName, found);
    return found;
  }

  /** Returns the class of equal content, or adds a class if there is none. */
  private find(hash: number, document: number, start: number, end: number): number {
    for (let place = hash & this.mask; ; place = (place + 1) & this.mask) {
      const found = (this.table[place] as number) - 1;
      if (found === NONE) return this.addClass(place, hash, document, start, end);
      if (this.hashes[found] === hash && this.isEqual(found, document, start, end)) return found;
    }
  }

  private addClass(place: number, hash: number, document: number, start: number, end: number) {
    const added = this.count++;
    this.table[place] = added + 1;
    this.hashes[added] = hash;
    this.documents[added] = document;
    this.starts[added] = start;
    this.ends[added] = end;
    return added;
  }

  private treeOf(contentClass: number): DocumentTree {
    return this.trees[this.documents[contentClass] as number] as DocumentTree;
  }

  private isEqual(known: number, document: number, start: number, end: number): boolean {
    const tree = this.trees[document] as DocumentTree;
    const knownTree = this.treeOf(known);
    const knownStart = this.starts[known] as number;
    const knownEnd = this.ends[known] as number;
    if (end === CONTAINER || knownEnd === CONTAINER) {
      if (end !== knownEnd || tree.isObject(start) !== knownTree.isObject(knownStart)) return false;
      return tree.isObject(start)
        ? this.haveEqualMembers(tree, start, knownTree, knownStart)
        : haveEqualElements(tree, start, knownTree, knownStart);
    }
    const token = tree.text.slice(start, end);
    const knownToken = knownTree.text.slice(knownStart, knownEnd);
    return token === knownToken || canonicalToken(token) === canonicalToken(knownToken);
  }

  /** `memberByName` must contain the members of `object`. */
  private haveEqualMembers(
    tree: DocumentTree,
    object: number,
    knownTree: DocumentTree,
    known: number,
  ): boolean {
    let surplus = 0;
    for (let each = tree.firstChild(object); each !== NONE; each = tree.nextChild(each)) surplus++;
    let each = knownTree.firstChild(known);
    for (; each !== NONE; each = knownTree.nextChild(each)) {
      const member = this.memberByName[knownTree.nameOrIndex(each)] as number;
      if (member === NONE || tree.parentOf(member) !== object) return false;
      if (tree.classOf(member) !== knownTree.classOf(each)) return false;
      surplus--;
    }
    return surplus === 0;
  }
}

function haveEqualElements(
  tree: DocumentTree,
  array: number,
  knownTree: DocumentTree,
  known: number,
): boolean {
  let [each, knownEach] = [tree.firstChild(array), knownTree.firstChild(known)];
  while (each !== NONE && knownEach !== NONE) {
    if (tree.classOf(each) !== knownTree.classOf(knownEach)) return false;
    each = tree.nextChild(each);
    knownEach = knownTree.nextChild(knownEach);
  }
  return each === knownEach;
}
