import type { JsonText } from '../json-text.js';
import { ChangeWriter, type ChangeType } from './change-writer.js';
import { compareFields } from './compare-fields.js';
import type { DocumentPair } from './document-pair.js';
import { NONE } from './tree/document-tree.js';

/** Changes beyond this number are counted, but not listed. */
const MAX_CHANGES = 1_000;
/** The maximum total size of the paths, ids, names and values in the list. */
const MAX_VALUE_BYTES = 4 * 1024 * 1024;

export interface ChangeList {
  /** The number of changes of each type, including changes that are not listed. */
  counts: Record<ChangeType, number>;
  /** A JSON array of the changes. The array is text, so that values stay as they are written in the documents. */
  changes: JsonText;
  /** Whether `changes` contains all changes with all their values. */
  isComplete: boolean;
}

// Work pauses after this many values. Comparing them takes 0.1 ms or less.
const STEPS_BETWEEN_CHECKPOINTS = 256;

/** Lists the changes in the order of `to`; removed nodes come last. */
export function* listChanges(pair: DocumentPair): Generator<void, ChangeList> {
  const { from, to } = pair;
  const writer = new ChangeWriter(pair, MAX_CHANGES, MAX_VALUE_BYTES);
  const counts = { added: 0, removed: 0, moved: 0, changed: 0 };
  let steps = 0;
  for (let node = 0; node < to.count; node = pair.afterInTo(node)) {
    if (++steps % STEPS_BETWEEN_CHECKPOINTS === 0) yield;
    if (!to.isNode(node)) continue;
    const partner = pair.partnerInFrom(node);
    if (pair.isAdded(node)) {
      counts.added++;
      yield* writer.writeAddition(node);
    }
    if (pair.isMoved(node)) {
      counts.moved++;
      yield* writer.writeMove(partner, node);
    }
    if (partner === NONE || pair.isUnchanged(node)) continue;
    const change = writer.startChange(partner, node);
    yield* compareFields(pair, partner, node, (field) => change.addField(field));
    if (change.end()) counts.changed++;
  }
  for (let node = 0; node < from.count; node = pair.afterInFrom(node)) {
    if (++steps % STEPS_BETWEEN_CHECKPOINTS === 0) yield;
    if (!pair.isRemoved(node)) continue;
    counts.removed++;
    yield* writer.writeRemoval(node);
  }
  return { counts, changes: yield* writer.build(), isComplete: writer.isComplete };
}
