import type { DocumentPair } from './document-pair.js';
import { NONE, type DocumentTree } from './tree/document-tree.js';

/** A value that differs between a node and its partner. */
export interface FieldChange {
  /** The path from the node to the value: names and indexes, separated by dots. */
  name: string;
  /** The last name on this path that is not an index. */
  shortName: string;
  /** A value of `from`; NONE if the field is new. */
  before: number;
  /** A value of `to`; NONE if the field is gone. */
  after: number;
}

type Field = Pick<FieldChange, 'name' | 'shortName'>;

// This many steps take 0.1 ms or less.
const STEPS_BETWEEN_CHECKPOINTS = 256;

/**
 * Finds the fields that differ between a node and its partner. A field is a value inside the node, unless the value is
 * an inner node or belongs to one. Objects are compared member by member. An array is one field unless it contains
 * nodes.
 */
export function* compareFields(
  pair: DocumentPair,
  fromNode: number,
  toNode: number,
  report: (change: FieldChange) => void,
): Generator<void> {
  const comparison = new FieldComparison(pair, report);
  yield* comparison.compare(fromNode, toNode, { name: '', shortName: '' });
}

class FieldComparison {
  private steps = 0;

  constructor(
    private readonly pair: DocumentPair,
    private readonly report: (change: FieldChange) => void,
  ) {}

  /** Compares two values that differ. One of the values may be NONE. */
  *compare(before: number, after: number, field: Field): Generator<void> {
    if (this.areObjects(before, after)) yield* this.compareMembers(before, after, field);
    else if (this.areLists(before, after)) yield* this.compareElements(before, after, field);
    else this.report({ ...field, before, after });
  }

  /** Whether both values are objects. A missing value (NONE) counts as an object if the other object contains nodes. */
  private areObjects(before: number, after: number): boolean {
    const { from, to } = this.pair;
    if (before === NONE) return to.isObject(after) && to.holdsNodes(after);
    if (after === NONE) return from.isObject(before) && from.holdsNodes(before);
    return from.isObject(before) && to.isObject(after);
  }

  /**
   * Whether both values are arrays, and at least one of the arrays contains nodes. A missing value (NONE) counts as an
   * array.
   */
  private areLists(before: number, after: number): boolean {
    const { from, to } = this.pair;
    const isBeforeList = before === NONE || from.isArray(before);
    const isAfterList = after === NONE || to.isArray(after);
    const holdsNodes =
      (before !== NONE && from.holdsNodes(before)) || (after !== NONE && to.holdsNodes(after));
    return isBeforeList && isAfterList && holdsNodes;
  }

  private *compareMembers(before: number, after: number, field: Field): Generator<void> {
    const { pair } = this;
    const { from, to } = pair;
    for (let each = firstIn(to, after); each !== NONE; each = to.nextChild(each)) {
      const partner = pair.partnerInFrom(each);
      if (!pair.isUnchanged(each)) {
        yield* this.compare(partner, each, this.member(field, to.nameOrIndex(each)));
      }
      if (this.isCheckpoint()) yield;
    }
    for (let each = firstIn(from, before); each !== NONE; each = from.nextChild(each)) {
      if (pair.partnerInTo(each) === NONE) {
        yield* this.compare(each, NONE, this.member(field, from.nameOrIndex(each)));
      }
      if (this.isCheckpoint()) yield;
    }
  }

  /**
   * Compares two arrays except for the nodes in them. Inner arrays that contain nodes are compared separately. If any
   * other element differs or has moved, both arrays are reported as one changed field.
   */
  private *compareElements(before: number, after: number, field: Field): Generator<void> {
    const { pair } = this;
    const { from, to } = pair;
    const nested: [before: number, after: number, index: number][] = [];
    let isOneField = false;
    for (let each = firstIn(to, after); each !== NONE; each = to.nextChild(each)) {
      if (this.isCheckpoint()) yield;
      if (to.isNode(each)) continue;
      const partner = pair.partnerInFrom(each);
      if (pair.isMoved(each)) isOneField = true;
      else if (pair.isUnchanged(each)) continue;
      else if (this.areLists(partner, each)) nested.push([partner, each, to.nameOrIndex(each)]);
      else isOneField = true;
    }
    for (let each = firstIn(from, before); each !== NONE; each = from.nextChild(each)) {
      if (this.isCheckpoint()) yield;
      if (from.isNode(each) || pair.partnerInTo(each) !== NONE) continue;
      if (this.areLists(each, NONE)) nested.push([each, NONE, from.nameOrIndex(each)]);
      else isOneField = true;
    }
    if (isOneField) {
      this.report({ ...field, before, after });
      return;
    }
    for (const [nestedBefore, nestedAfter, index] of nested) {
      const name = join(field.name, String(index));
      yield* this.compare(nestedBefore, nestedAfter, { ...field, name });
    }
  }

  private member({ name }: Field, nameClass: number): Field {
    const shortName = this.pair.classes.nameOf(nameClass);
    return { name: join(name, shortName), shortName };
  }

  private isCheckpoint(): boolean {
    return ++this.steps % STEPS_BETWEEN_CHECKPOINTS === 0;
  }
}

const firstIn = (tree: DocumentTree, value: number): number =>
  value === NONE ? NONE : tree.firstChild(value);

const join = (names: string, name: string): string => (names === '' ? name : `${names}.${name}`);
