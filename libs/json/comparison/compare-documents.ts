import { runInSlices } from '#time-slices';
import type { JsonText } from '../json-text.js';
import { ContentClasses } from './tree/content-classes.js';
import { DocumentPair } from './document-pair.js';
import { findMoves } from './find-moves.js';
import { createPatch } from './json-patch.js';
import { listChanges, type ChangeList } from './list-changes.js';
import { matchValues } from './match-values.js';
import { readTree } from './tree/read-tree.js';

export interface DocumentComparison extends ChangeList {
  /** Whether both documents have the same meaning. White space, key order, escapes and number formats may differ. */
  identical: boolean;
  /** Whether both documents are identical as text. */
  identicalText: boolean;
}

/** Compares two stored documents node by node. */
export const compareDocuments = (from: JsonText, to: JsonText): Promise<DocumentComparison> =>
  inTurn(from, to, compareInSteps);

/** Creates a JSON Patch (RFC 6902) that turns one stored document into another. */
export const createJsonPatch = (from: JsonText, to: JsonText): Promise<JsonText> =>
  inTurn(from, to, createJsonPatchInSteps);

/** Like `compareDocuments`, but yields wherever the work may be interrupted. */
export function* compareInSteps(from: JsonText, to: JsonText): Generator<void, DocumentComparison> {
  const pair = yield* pairDocuments(from, to);
  return {
    identical: pair.isUnchanged(0),
    identicalText: from.text === to.text,
    ...(yield* listChanges(pair)),
  };
}

/** Like `createJsonPatch`, but yields wherever the work may be interrupted. */
export function* createJsonPatchInSteps(from: JsonText, to: JsonText): Generator<void, JsonText> {
  return yield* createPatch(yield* pairDocuments(from, to));
}

function* pairDocuments(from: JsonText, to: JsonText): Generator<void, DocumentPair> {
  const fromTree = yield* readTree(from.text);
  const toTree = yield* readTree(to.text);
  const classes = new ContentClasses([fromTree, toTree]);
  yield* classes.classify();
  const pair = new DocumentPair(fromTree, toTree, classes);
  yield* matchValues(pair);
  yield* findMoves(pair);
  return pair;
}

// Two documents of at most this total size are compared immediately, alongside other comparisons.
const MAX_SMALL_BYTES = 256 * 1024;
/** Settles when all large comparisons that have been started so far are done. */
let largeComparisons: Promise<unknown> = Promise.resolve();

/**
 * Compares small documents immediately, and large documents one pair after another: comparing 1 MiB of very small
 * values occupies about 30 MiB of memory. Comparing several large pairs concurrently would not be faster, because all
 * such work shares one time slice.
 */
async function inTurn<T>(
  from: JsonText,
  to: JsonText,
  compare: (from: JsonText, to: JsonText) => Generator<void, T>,
): Promise<T> {
  if (from.byteLength + to.byteLength <= MAX_SMALL_BYTES) return runInSlices(compare(from, to));
  const result = largeComparisons.then(() => runInSlices(compare(from, to)));
  largeComparisons = result.catch(() => undefined);
  return result;
}
