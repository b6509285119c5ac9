import type { FieldChange } from './compare-fields.js';
import {
  describeAncestors,
  describeNode,
  hasLabel,
  listNameOf,
  positionOf,
} from './describe-node.js';
import type { DocumentPair } from './document-pair.js';
import { NONE, type DocumentTree } from './tree/document-tree.js';

const MAX_FIELDS_NAMED = 5;
const MAX_FIELD_NAME_LENGTH = 40;

/** Returns a sentence such as `The text block "Hello" was added to stripe 2, container 1, at position 3.` */
export function describeAddition(pair: DocumentPair, node: number): string {
  const ancestors = describeAncestors(pair, pair.to, node);
  const place = `at position ${positionOf(pair.to, node)}`;
  const where = ancestors === '' ? place : `to ${ancestors}, ${place}`;
  return sentence(`${describeNode(pair, pair.to, node)} was added ${where}`);
}

/** Returns a sentence such as `The text block "Hello" was removed from stripe 2, container 1.` */
export function describeRemoval(pair: DocumentPair, node: number): string {
  const ancestors = describeAncestors(pair, pair.from, node);
  const where = ancestors === '' ? positionIn(pair.from, node) : ancestors;
  return sentence(`${describeNode(pair, pair.from, node)} was removed from ${where}`);
}

/** Returns a sentence such as `The stripe "Header" was moved from position 1 to position 3.` */
export function describeMove(pair: DocumentPair, fromNode: number, toNode: number): string {
  const { from, to } = pair;
  const subject = describeNode(pair, to, toNode);
  if (pair.partnerInFrom(to.ownerOf(toNode)) !== from.ownerOf(fromNode)) {
    return sentence(
      `${subject} was moved from ${placeKey(pair, from, fromNode)} to ${placeKey(pair, to, toNode)}`,
    );
  }
  const [fromPosition, toPosition] = [positionIn(from, fromNode), positionIn(to, toNode)];
  if (pair.partnerInFrom(to.parentOf(toNode)) !== from.parentOf(fromNode)) {
    const [fromList, toList] = [listNameOf(pair, from, fromNode), listNameOf(pair, to, toNode)];
    return fromList === toList || fromList === '' || toList === ''
      ? sentence(`${subject} was moved from ${fromPosition} to ${toPosition} in another array`)
      : sentence(
          `${subject} was moved from ${fromPosition} in ${fromList} to ${toPosition} in ${toList}`,
        );
  }
  return fromPosition === toPosition
    ? sentence(`${subject} is still at ${toPosition}, but was moved relative to its neighbours`)
    : sentence(`${subject} was moved from ${fromPosition} to ${toPosition}`);
}

/** Returns a sentence such as `The text block "Hello" in stripe 2, container 1 has different padding and text.` */
export function describeChange(pair: DocumentPair, node: number, fields: FieldNames): string {
  const { to } = pair;
  const ancestors = describeAncestors(pair, to, node);
  const position = node === 0 || hasLabel(pair, to, node) ? '' : ` at ${positionIn(to, node)}`;
  const where = ancestors === '' ? position : `${position} in ${ancestors}`;
  return sentence(`${describeNode(pair, to, node)}${where} ${fields.describe()}`);
}

/** Collects the names of the fields that differ, as many as fit into a sentence. */
export class FieldNames {
  private readonly changed = new Set<string>();
  private readonly added = new Set<string>();
  private readonly removed = new Set<string>();

  add({ shortName, before, after }: FieldChange): void {
    const names = before === NONE ? this.added : after === NONE ? this.removed : this.changed;
    // Keeps one name more than the sentence mentions, which shows that there are other fields.
    if (names.size <= MAX_FIELDS_NAMED) names.add(clip(shortName));
  }

  describe(): string {
    const verbs = [
      describeFields('has different', this.changed),
      describeFields('now has', this.added),
      describeFields('no longer has', this.removed),
    ];
    return enumerate(verbs.filter((verb) => verb !== ''));
  }
}

function describeFields(verb: string, fieldNames: ReadonlySet<string>): string {
  const names = [...fieldNames];
  if (names.length > MAX_FIELDS_NAMED) names.splice(MAX_FIELDS_NAMED, 1, 'other fields');
  return names.length === 0 ? '' : `${verb} ${enumerate(names)}`;
}

const clip = (name: string): string => {
  const text = name === '' ? 'content' : name;
  return text.length <= MAX_FIELD_NAME_LENGTH ? text : `${text.slice(0, MAX_FIELD_NAME_LENGTH)}…`;
};

const positionIn = (tree: DocumentTree, node: number) => `position ${positionOf(tree, node)}`;

const placeKey = (pair: DocumentPair, tree: DocumentTree, node: number): string =>
  [describeAncestors(pair, tree, node), positionIn(tree, node)].filter(Boolean).join(', ');

/** Joins words, as in `a`, `a and b` or `a, b and c`. */
const enumerate = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
