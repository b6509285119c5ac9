import type { JsonText } from '../json-text.js';
import type { FieldChange } from './compare-fields.js';
import {
  describeAddition,
  describeChange,
  describeMove,
  describeRemoval,
  FieldNames,
} from './describe-change.js';
import { idOf, memberOf, type DocumentPair } from './document-pair.js';
import { pointerTo } from './json-pointer.js';
import { TextBuilder } from './text-builder.js';
import { NONE, type DocumentTree } from './tree/document-tree.js';

export const changeTypes = ['added', 'removed', 'moved', 'changed'] as const;
export type ChangeType = (typeof changeTypes)[number];

/** A changed node whose fields are added one by one. */
interface FieldsWriter {
  addField: (field: FieldChange) => void;
  /** Ends the change. Returns whether any field was added. */
  end: () => boolean;
}

/**
 * Writes as many changes as fit into the limits, as JSON. Everything whose length callers control counts towards the
 * limit on bytes: paths, types, ids, names and values. The sentences do not count, because they are short.
 */
export class ChangeWriter {
  isComplete = true;
  private readonly text = new TextBuilder();
  private changeCount = 0;

  constructor(
    private readonly pair: DocumentPair,
    private readonly maxChanges: number,
    private remainingBytes: number,
  ) {}

  /** Returns the changes as a JSON array. No change can be written afterwards. */
  *build(): Generator<void, JsonText> {
    this.text.append(this.changeCount === 0 ? '[]' : ']');
    return yield* this.text.build();
  }

  *writeAddition(toNode: number): Generator<void> {
    yield* this.write('added', NONE, toNode, () => describeAddition(this.pair, toNode));
  }

  *writeRemoval(fromNode: number): Generator<void> {
    yield* this.write('removed', fromNode, NONE, () => describeRemoval(this.pair, fromNode));
  }

  *writeMove(fromNode: number, toNode: number): Generator<void> {
    yield* this.write('moved', fromNode, toNode, () => describeMove(this.pair, fromNode, toNode));
  }

  /** Starts a change whose fields are added one by one. Writes nothing if no field is added. */
  startChange(fromNode: number, toNode: number): FieldsWriter {
    const names = new FieldNames();
    let hasFields = false;
    let isListed = false;
    let separator = '';
    return {
      addField: (field) => {
        if (!hasFields) isListed = this.writeHead('changed', fromNode, toNode);
        hasFields = true;
        if (!isListed) return;
        names.add(field);
        const text = this.printField(field);
        if (text === undefined) return;
        this.text.append(separator + text);
        separator = ',';
      },
      end: () => {
        if (isListed) this.writeTail(describeChange(this.pair, toNode, names));
        return hasFields;
      },
    };
  }

  private *write(
    type: ChangeType,
    fromNode: number,
    toNode: number,
    describe: () => string,
  ): Generator<void> {
    if (!this.writeHead(type, fromNode, toNode)) return;
    this.writeTail(describe());
    yield;
  }

  /** Returns false if there is no room for the change. */
  private writeHead(type: ChangeType, fromNode: number, toNode: number): boolean {
    if (this.changeCount === this.maxChanges || this.remainingBytes === 0) {
      this.isComplete = false;
      return false;
    }
    const { from, to, classes } = this.pair;
    const [tree, node] = toNode === NONE ? [from, fromNode] : [to, toNode];
    const nodeType = memberOf(tree, node, classes.nameClass('type'));
    const isText = nodeType !== NONE && tree.text[tree.startOf(nodeType)] === '"';
    const isMatched = fromNode !== NONE && toNode !== NONE;
    const head = [
      `"type":"${type}"`,
      `"path":${this.printPointer(to, toNode)}`,
      `"fromPath":${this.printPointer(from, fromNode)}`,
      `"nodeType":${isText ? tree.textOf(nodeType) : 'null'}`,
      `"nodeId":${printValue(tree, idOf(this.pair, tree, node))}`,
      `"matchedBy":${isMatched ? `"${this.pair.reasonOf(toNode)}"` : 'null'}`,
    ].join(',');
    if (!this.reserve(head)) {
      // Later changes might fit, but the list must not have gaps.
      this.remainingBytes = 0;
      return false;
    }
    this.text.append(`${this.changeCount === 0 ? '[' : ','}{${head},"fields":[`);
    this.changeCount++;
    return true;
  }

  private writeTail(sentence: string): void {
    this.text.append(`],"sentence":${JSON.stringify(sentence)}}`);
  }

  private printPointer(tree: DocumentTree, node: number): string {
    return node === NONE ? 'null' : JSON.stringify(pointerTo(this.pair, tree, node));
  }

  /** Prints a field. Omits values that do not fit. Returns undefined if not even the name fits. */
  private printField({ name, before, after }: FieldChange): string | undefined {
    // Lengths are checked before printing, because names and values can be as long as the documents.
    if (!this.mayFit(name.length)) return undefined;
    const { from, to } = this.pair;
    const nameText = `{"name":${JSON.stringify(name)}`;
    if (this.mayFit(nameText.length + lengthOf(from, before) + lengthOf(to, after))) {
      const beforeText = before === NONE ? '' : `,"before":${from.textOf(before)}`;
      const afterText = after === NONE ? '' : `,"after":${to.textOf(after)}`;
      const text = `${nameText}${beforeText}${afterText}}`;
      if (this.reserve(text)) return text;
    }
    const text = `${nameText}}`;
    return this.reserve(text) ? text : undefined;
  }

  /** Returns whether a text of this length may fit. If not, marks the list as incomplete. */
  private mayFit(length: number): boolean {
    const mayFit = length <= this.remainingBytes;
    if (!mayFit) this.isComplete = false;
    return mayFit;
  }

  private reserve(text: string): boolean {
    const bytes = Buffer.byteLength(text);
    if (!this.mayFit(bytes)) return false;
    this.remainingBytes -= bytes;
    return true;
  }
}

const lengthOf = (tree: DocumentTree, value: number): number =>
  value === NONE ? 0 : tree.endOf(value) - tree.startOf(value);

const printValue = (tree: DocumentTree, value: number): string =>
  value === NONE ? 'null' : tree.textOf(value);
