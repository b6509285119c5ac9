import type { ContentClasses } from './tree/content-classes.js';
import { NONE, type DocumentTree } from './tree/document-tree.js';

/** Why two values can match: they have the same `id`, equal content, or the same place in the document. */
export const matchReasons = ['id', 'content', 'place'] as const;
export type MatchReason = (typeof matchReasons)[number];

/**
 * Two documents, and the matches between their values. The partner of a value is its counterpart in the other document.
 */
export class DocumentPair {
  /** `fromPartners` is indexed by the values of `to`, and `toPartners` by the values of `from`. */
  private readonly fromPartners: Int32Array;
  private readonly toPartners: Int32Array;
  /** Both arrays are indexed by the number of a value in `to`. */
  private readonly reasons: Uint8Array;
  private readonly moved: Uint8Array;

  constructor(
    readonly from: DocumentTree,
    readonly to: DocumentTree,
    readonly classes: ContentClasses,
  ) {
    this.fromPartners = new Int32Array(to.count).fill(NONE);
    this.toPartners = new Int32Array(from.count).fill(NONE);
    this.reasons = new Uint8Array(to.count);
    this.moved = new Uint8Array(to.count);
  }

  match(fromValue: number, toValue: number, reason: MatchReason): void {
    this.fromPartners[toValue] = fromValue;
    this.toPartners[fromValue] = toValue;
    this.reasons[toValue] = matchReasons.indexOf(reason);
  }

  /** The value of `from` that became this value of `to`; NONE if the value of `to` is new. */
  partnerInFrom(toValue: number): number {
    return toValue === NONE ? NONE : (this.fromPartners[toValue] as number);
  }

  /** The value of `to` that this value of `from` became; NONE if the value of `from` is gone. */
  partnerInTo(fromValue: number): number {
    return fromValue === NONE ? NONE : (this.toPartners[fromValue] as number);
  }

  reasonOf(toValue: number): MatchReason {
    return matchReasons[this.reasons[toValue] as number] as MatchReason;
  }

  haveEqualContent(fromValue: number, toValue: number): boolean {
    return this.from.classOf(fromValue) === this.to.classOf(toValue);
  }

  /** Whether the value and everything inside it are unchanged, even if the value has moved. */
  isUnchanged(toValue: number): boolean {
    const partner = this.partnerInFrom(toValue);
    return partner !== NONE && this.haveEqualContent(partner, toValue);
  }

  markMoved(toValue: number): void {
    this.moved[toValue] = 1;
  }

  /** Whether an element has moved to another array, or to another place in the order of its array. */
  isMoved(toValue: number): boolean {
    return this.moved[toValue] === 1;
  }

  /** The next value of `from`, in text order, that is not inside an unchanged value. */
  afterInFrom(fromValue: number): number {
    const partner = this.partnerInTo(fromValue);
    return partner !== NONE && this.haveEqualContent(fromValue, partner)
      ? this.from.endOfSubtree(fromValue)
      : this.from.after(fromValue);
  }

  /** Like `afterInFrom`, for a value of `to`. */
  afterInTo(toValue: number): number {
    return this.isUnchanged(toValue) ? this.to.endOfSubtree(toValue) : this.to.after(toValue);
  }

  /** Whether a node of `from` was removed on its own, and not as a part of a removed node. */
  isRemoved(fromValue: number): boolean {
    return (
      this.from.isNode(fromValue) &&
      this.partnerInTo(fromValue) === NONE &&
      this.partnerInTo(this.from.ownerOf(fromValue)) !== NONE
    );
  }

  /** Whether a node of `to` was added on its own, and not as a part of an added node. */
  isAdded(toValue: number): boolean {
    return (
      this.to.isNode(toValue) &&
      this.partnerInFrom(toValue) === NONE &&
      this.partnerInFrom(this.to.ownerOf(toValue)) !== NONE
    );
  }
}

/** The member with this name; NONE if the object has none. */
export function memberOf(tree: DocumentTree, object: number, nameClass: number): number {
  if (nameClass === NONE || !tree.isObject(object)) return NONE;
  let member = tree.firstChild(object);
  while (member !== NONE && tree.nameOrIndex(member) !== nameClass) member = tree.nextChild(member);
  return member;
}

const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

/** The string or number that a node has as its `id`; NONE if there is none. */
export function idOf({ classes }: DocumentPair, tree: DocumentTree, node: number): number {
  const id = memberOf(tree, node, classes.nameClass('id'));
  if (id === NONE) return NONE;
  const code = tree.text.charCodeAt(tree.startOf(id));
  const isNumber = code === MINUS || (code >= ZERO && code <= NINE);
  return isNumber || code === QUOTE ? id : NONE;
}
