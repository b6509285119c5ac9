import type { DocumentPair } from './document-pair.js';
import { NONE } from './tree/document-tree.js';

// This many steps take 0.1 ms or less.
const STEPS_BETWEEN_CHECKPOINTS = 256;

/**
 * Marks the elements that have moved to another array. Within each array, marks the smallest number of elements whose
 * moves explain the new order.
 */
export function* findMoves(pair: DocumentPair): Generator<void> {
  const { from, to } = pair;
  let steps = 0;
  for (let array = 0; array < to.count; array = pair.afterInTo(array)) {
    if (++steps % STEPS_BETWEEN_CHECKPOINTS === 0) yield;
    if (!to.isArray(array) || pair.isUnchanged(array)) continue;
    const partnerOfArray = pair.partnerInFrom(array);
    const elements: number[] = [];
    const earlierIndexes: number[] = [];
    for (let each = to.firstChild(array); each !== NONE; each = to.nextChild(each)) {
      if (++steps % STEPS_BETWEEN_CHECKPOINTS === 0) yield;
      const partner = pair.partnerInFrom(each);
      if (partner === NONE) continue;
      if (from.parentOf(partner) !== partnerOfArray) {
        pair.markMoved(each);
        continue;
      }
      elements.push(each);
      earlierIndexes.push(from.nameOrIndex(partner));
    }
    const kept = yield* longestIncreasingSubsequence(earlierIndexes);
    for (const [index, element] of elements.entries()) {
      if (!kept.has(index)) pair.markMoved(element);
      if (++steps % STEPS_BETWEEN_CHECKPOINTS === 0) yield;
    }
  }
}

type Indexes = { has: (index: number) => boolean };
const ALL: Indexes = { has: () => true };

/** The indexes of a longest increasing subsequence of distinct numbers, by patience sorting in O(n log n). */
function* longestIncreasingSubsequence(numbers: readonly number[]): Generator<void, Indexes> {
  if (numbers.every((number, index) => index === 0 || number > (numbers[index - 1] as number))) {
    return ALL;
  }
  /** For each length, the index of the smallest number that ends a subsequence of this length. */
  const ends: number[] = [];
  /** For each index, its predecessor in the longest subsequence that ends there. */
  const previous = new Int32Array(numbers.length);
  for (const [index, number] of numbers.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] as number] as number) < number) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? NONE : (ends[low - 1] as number);
    ends[low] = index;
    if (index % STEPS_BETWEEN_CHECKPOINTS === 0) yield;
  }
  const found = new Uint8Array(numbers.length);
  let index = ends.at(-1) ?? NONE;
  for (; index !== NONE; index = previous[index] as number) found[index] = 1;
  return { has: (each) => found[each] === 1 };
}
