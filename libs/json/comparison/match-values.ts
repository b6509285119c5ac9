import { idOf, memberOf, type DocumentPair, type MatchReason } from './document-pair.js';
import { NONE, type DocumentTree } from './tree/document-tree.js';
import { ValueQueues } from './value-queues.js';

/** Returns the key of a value. Values with the same key may match. A value with the key NONE must not be matched. */
type Key = (tree: DocumentTree, value: number) => number;

// This many steps take 0.1 ms or less.
const STEPS_BETWEEN_CHECKPOINTS = 512;
// Marks a key that several nodes have.
const REPEATED = -1;
// The place key of an element is the class of its type, or the number of classes plus one of these numbers.
const SCALAR_PLACE = 0;
const ARRAY_PLACE = 1;
const UNTYPED_PLACE = 2;
const PLACE_KEYS = 3;

/**
 * Matches the values of `from` with the values of `to`. Nodes are matched first by `id`, if the id occurs once in each
 * document, then by equal content, and then by place. All other values are matched inside matched nodes: members by
 * name, and elements by content and place. Takes linear time.
 */
export const matchValues = (pair: DocumentPair): Generator<void> => new Matcher(pair).match();

class Matcher {
  /** For each document, marks the nodes whose `id` occurs only once in the document. */
  private readonly identified: ReadonlyMap<DocumentTree, Uint8Array>;
  private haveCommonIds = false;
  private readonly queues: ValueQueues;
  private readonly memberByName: Int32Array;
  private steps = 0;

  constructor(private readonly pair: DocumentPair) {
    const { from, to, classes } = pair;
    this.identified = new Map([from, to].map((tree) => [tree, new Uint8Array(tree.count)]));
    this.queues = new ValueQueues(classes.count + PLACE_KEYS, from.count);
    this.memberByName = new Int32Array(classes.count).fill(NONE);
  }

  *match(): Generator<void> {
    this.pair.match(0, 0, 'place');
    // If no id occurs in both documents, the ids do not show which nodes belong together.
    this.haveCommonIds = yield* this.matchUnique((tree, node) => {
      const id = idOf(this.pair, tree, node);
      return id === NONE ? NONE : tree.classOf(id);
    }, 'id');
    yield* this.matchUnique(classOf, 'content');
    yield* this.matchInside();
    yield* this.matchRepeated();
  }

  /**
   * Matches the nodes whose key occurs once in each document, wherever the nodes are. Returns whether there are such
   * nodes.
   */
  private *matchUnique(key: Key, reason: 'id' | 'content'): Generator<void, boolean> {
    const { from, to, classes } = this.pair;
    const fromNodes = yield* this.findUnique(from, key, reason);
    const toNodes = yield* this.findUnique(to, key, reason);
    let hasMatches = false;
    for (let each = 0; each < classes.count; each++) {
      const [fromNode, toNode] = [fromNodes[each] as number, toNodes[each] as number];
      if (fromNode > 0 && toNode > 0) {
        this.pair.match(fromNode, toNode, reason);
        hasMatches = true;
      }
      if (this.isCheckpoint()) yield;
    }
    return hasMatches;
  }

  /** Returns, by key, the only unmatched node with this key: 0 if there is none, `REPEATED` if there are several. */
  private *findUnique(
    tree: DocumentTree,
    key: Key,
    reason: MatchReason,
  ): Generator<void, Int32Array> {
    const { classes } = this.pair;
    const nodes = new Int32Array(classes.count);
    // The document itself, which is value 0, is always matched.
    for (let value = 1; value < tree.count; value = tree.after(value)) {
      if (this.isCheckpoint()) yield;
      if (!tree.isNode(value) || this.isMatched(tree, value)) continue;
      const each = key(tree, value);
      if (each !== NONE) nodes[each] = nodes[each] === 0 ? value : REPEATED;
    }
    if (reason === 'id') for (const node of nodes) if (node > 0) this.identifiedIn(tree)[node] = 1;
    return nodes;
  }

  /** Matches the values inside matched values, from the outside in. */
  private *matchInside(): Generator<void> {
    const { pair } = this;
    const { from, to } = pair;
    for (let value = 0; value < to.count; value = pair.afterInTo(value)) {
      if (this.isCheckpoint()) yield;
      const partner = pair.partnerInFrom(value);
      if (partner === NONE || pair.isUnchanged(value)) continue;
      if (from.isObject(partner) && to.isObject(value)) {
        yield* this.matchMembers(partner, value);
      } else if (from.isArray(partner) && to.isArray(value)) {
        yield* this.matchElements(partner, value, classOf, 'content');
        yield* this.matchElements(
          partner,
          value,
          (tree, each) => this.placeKey(tree, each),
          'place',
        );
      }
    }
  }

  private *matchMembers(fromObject: number, toObject: number): Generator<void> {
    const { from, to } = this.pair;
    for (let each = from.firstChild(fromObject); each !== NONE; each = from.nextChild(each)) {
      this.memberByName[from.nameOrIndex(each)] = each;
      if (this.isCheckpoint()) yield;
    }
    for (let each = to.firstChild(toObject); each !== NONE; each = to.nextChild(each)) {
      const partner = this.memberByName[to.nameOrIndex(each)] as number;
      if (partner !== NONE && from.parentOf(partner) === fromObject) {
        this.pair.match(partner, each, 'place');
      }
      if (this.isCheckpoint()) yield;
    }
  }

  /** Matches the unmatched elements of two arrays that have the same key, in the order of the arrays. */
  private *matchElements(
    fromArray: number,
    toArray: number,
    key: Key,
    reason: MatchReason,
  ): Generator<void> {
    const { from, to } = this.pair;
    for (let each = from.firstChild(fromArray); each !== NONE; each = from.nextChild(each)) {
      const eachKey = this.isMatched(from, each) ? NONE : key(from, each);
      if (eachKey !== NONE) this.queues.add(eachKey, each);
      if (this.isCheckpoint()) yield;
    }
    for (let each = to.firstChild(toArray); each !== NONE; each = to.nextChild(each)) {
      const eachKey = this.isMatched(to, each) ? NONE : key(to, each);
      const partner = eachKey === NONE ? NONE : this.queues.take(eachKey);
      if (partner !== NONE) this.pair.match(partner, each, reason);
      if (this.isCheckpoint()) yield;
    }
    this.queues.clear();
  }

  /** The key for matching by place: only elements with the same type of content may be matched. */
  private placeKey(tree: DocumentTree, element: number): number {
    const { classes } = this.pair;
    if (!tree.isNode(element)) {
      return classes.count + (tree.isArray(element) ? ARRAY_PLACE : SCALAR_PLACE);
    }
    // If the documents share ids, a node whose unique id has no partner was added or removed.
    if (this.haveCommonIds && this.identifiedIn(tree)[element] === 1) return NONE;
    const type = memberOf(tree, element, classes.nameClass('type'));
    return type === NONE ? classes.count + UNTYPED_PLACE : tree.classOf(type);
  }

  /** Matches nodes that were moved to another array, and whose content occurs several times. */
  private *matchRepeated(): Generator<void> {
    const { pair, queues } = this;
    const { from, to } = pair;
    for (let value = 0; value < from.count; value = pair.afterInFrom(value)) {
      if (pair.isRemoved(value)) queues.add(from.classOf(value), value);
      if (this.isCheckpoint()) yield;
    }
    for (let value = 0; value < to.count; value = pair.afterInTo(value)) {
      const partner = pair.isAdded(value) ? queues.take(to.classOf(value)) : NONE;
      if (partner !== NONE) pair.match(partner, value, 'content');
      if (this.isCheckpoint()) yield;
    }
  }

  private isMatched(tree: DocumentTree, value: number): boolean {
    const { pair } = this;
    return (tree === pair.from ? pair.partnerInTo(value) : pair.partnerInFrom(value)) !== NONE;
  }

  private identifiedIn(tree: DocumentTree): Uint8Array {
    return this.identified.get(tree) as Uint8Array;
  }

  private isCheckpoint(): boolean {
    return ++this.steps % STEPS_BETWEEN_CHECKPOINTS === 0;
  }
}

const classOf: Key = (tree, value) => tree.classOf(value);
