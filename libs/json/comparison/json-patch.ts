import { JsonText } from '../json-text.js';
import type { DocumentPair } from './document-pair.js';
import { ElementPositions } from './element-positions.js';
import { pointerTokenOf } from './json-pointer.js';
import { TextBuilder } from './text-builder.js';
import { NONE } from './tree/document-tree.js';

// This many steps take 0.1 ms or less.
const STEPS_BETWEEN_CHECKPOINTS = 128;
// Patches of up to this length are allowed even if the document is shorter.
const MIN_MAX_LENGTH = 64 * 1024;

/**
 * Creates a JSON Patch (RFC 6902) that turns `from` into `to`. An object or array is changed before the values inside
 * it, so the paths of these values are already their paths in `to`. A patch that would be longer than the document
 * replaces the whole document.
 */
export function* createPatch(pair: DocumentPair): Generator<void, JsonText> {
  const writer = new PatchWriter(pair);
  yield* writer.write();
  return yield* writer.build();
}

/** Two values that differ, and their path in `to`. */
interface Difference {
  before: number;
  after: number;
  path: string;
}

class PatchWriter {
  private readonly text = new TextBuilder();
  private length = 0;
  private readonly maxLength: number;
  private readonly differences: Difference[] = [];
  private steps = 0;

  constructor(private readonly pair: DocumentPair) {
    this.maxLength = Math.max(MIN_MAX_LENGTH, pair.to.text.length);
  }

  /** Returns the patch. No operation can be written afterwards. */
  *build(): Generator<void, JsonText> {
    if (this.length > this.maxLength) {
      return new JsonText(`[{"op":"replace","path":"","value":${this.pair.to.textOf(0)}}]`);
    }
    this.text.append(this.length === 0 ? '[]' : ']');
    return yield* this.text.build();
  }

  *write(): Generator<void> {
    this.addDifference(0, 0, '');
    for (;;) {
      const difference = this.differences.pop();
      if (difference === undefined || this.length > this.maxLength) return;
      const { from, to } = this.pair;
      const { before, after } = difference;
      if (from.isObject(before) && to.isObject(after)) yield* this.writeMembers(difference);
      else if (from.isArray(before) && to.isArray(after)) yield* this.writeElements(difference);
      else this.writeValue('replace', difference.path, after);
      if (this.isCheckpoint()) yield;
    }
  }

  private *writeMembers({ before, after, path }: Difference): Generator<void> {
    const { pair } = this;
    const { from, to } = pair;
    for (let each = from.firstChild(before); each !== NONE; each = from.nextChild(each)) {
      if (pair.partnerInTo(each) === NONE)
        this.writeRemoval(path + pointerTokenOf(pair, from, each));
      if (this.isCheckpoint()) yield;
    }
    for (let each = to.firstChild(after); each !== NONE; each = to.nextChild(each)) {
      const partner = pair.partnerInFrom(each);
      if (!pair.isUnchanged(each)) {
        const memberPath = path + pointerTokenOf(pair, to, each);
        if (partner === NONE) this.writeValue('add', memberPath, each);
        else this.addDifference(partner, each, memberPath);
      }
      if (this.isCheckpoint()) yield;
    }
  }

  /**
   * Removes the elements that leave the array, from the last to the first. Then goes through the new array in order:
   * adds each new element, and moves each misplaced element to the position right after its predecessor.
   */
  private *writeElements({ before, after, path }: Difference): Generator<void> {
    const { pair } = this;
    const { from, to } = pair;
    const removed: number[] = [];
    let length = 0;
    for (let each = from.firstChild(before); each !== NONE; each = from.nextChild(each)) {
      const partner = pair.partnerInTo(each);
      if (partner === NONE || to.parentOf(partner) !== after) removed.push(from.nameOrIndex(each));
      length++;
      if (this.isCheckpoint()) yield;
    }
    const positions = new ElementPositions(length);
    for (const index of removed.reverse()) {
      this.writeRemoval(`${path}/${index}`);
      positions.remove(index);
      if (this.isCheckpoint()) yield;
    }
    for (let each = to.firstChild(after); each !== NONE; each = to.nextChild(each)) {
      if (this.isCheckpoint()) yield;
      const partner = pair.partnerInFrom(each);
      const isInArray = partner !== NONE && from.parentOf(partner) === before;
      if (!isInArray) {
        this.writeValue('add', `${path}/${positions.insert()}`, each);
        continue;
      }
      const index = from.nameOrIndex(partner);
      if (pair.isMoved(each)) {
        const source = positions.remove(index);
        const target = positions.insert();
        if (source !== target) this.writeMove(`${path}/${source}`, `${path}/${target}`);
      } else {
        positions.goTo(index);
      }
      this.addDifference(partner, each, `${path}/${to.nameOrIndex(each)}`);
    }
  }

  private addDifference(before: number, after: number, path: string): void {
    if (this.pair.haveEqualContent(before, after)) return;
    this.differences.push({ before, after, path });
  }

  private writeRemoval(path: string): void {
    this.writeOperation(path.length, () => `{"op":"remove","path":${JSON.stringify(path)}}`);
  }

  private writeMove(from: string, path: string): void {
    this.writeOperation(
      from.length + path.length,
      () => `{"op":"move","from":${JSON.stringify(from)},"path":${JSON.stringify(path)}}`,
    );
  }

  private writeValue(op: 'add' | 'replace', path: string, value: number): void {
    const { to } = this.pair;
    this.writeOperation(
      path.length + to.endOf(value) - to.startOf(value),
      () => `{"op":"${op}","path":${JSON.stringify(path)},"value":${to.textOf(value)}}`,
    );
  }

  /**
   * Writes an operation unless the patch would become too long. The length is checked before printing, because a path
   * can be as long as the document.
   */
  private writeOperation(minLength: number, print: () => string): void {
    if (this.length + minLength > this.maxLength) {
      this.length = Infinity;
      return;
    }
    const operation = print();
    this.text.append((this.length === 0 ? '[' : ',') + operation);
    this.length += operation.length + 1;
  }

  private isCheckpoint(): boolean {
    return ++this.steps % STEPS_BETWEEN_CHECKPOINTS === 0;
  }
}
