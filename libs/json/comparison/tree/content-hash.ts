import { randomInt } from 'node:crypto';
import { NONE, type DocumentTree } from './document-tree.js';

const { imul } = Math;

// Secret, because callers could otherwise send documents whose values all have the same hash.
const MULTIPLIER = randomInt(2 ** 31) * 2 + 1;
const SEED = randomInt(2 ** 31);

/**
 * Hashes an object or array by the classes of its members or elements. The hash of an object does not depend on the
 * order of its members. If several members have the same name, only the last one counts, as in JSON.parse.
 *
 * @param memberByName the last member seen with each name, indexed by the number of the name. All objects share the
 *   array, so an object overwrites the entries of its names.
 */
export function hashOfContainer(
  tree: DocumentTree,
  value: number,
  memberByName: Int32Array,
): number {
  const isObject = tree.isObject(value);
  let hash = isObject ? SEED : ~SEED;
  for (let each = tree.firstChild(value); each !== NONE; each = tree.nextChild(each)) {
    if (!isObject) {
      hash = combine(hash, tree.classOf(each));
      continue;
    }
    const name = tree.nameOrIndex(each);
    const earlier = memberByName[name] as number;
    if (earlier !== NONE && tree.parentOf(earlier) === value) {
      hash = (hash - hashOfMember(name, tree.classOf(earlier))) | 0;
      tree.override(earlier);
    }
    memberByName[name] = each;
    hash = (hash + hashOfMember(name, tree.classOf(each))) | 0;
  }
  return combine(hash, 0);
}

const hashOfMember = (name: number, contentClass: number): number =>
  combine(combine(SEED, name), contentClass);

export function hashOfText(text: string, start: number, end: number): number {
  let hash = SEED;
  for (let offset = start; offset < end; offset++) hash = combine(hash, text.charCodeAt(offset));
  return hash;
}

function combine(hash: number, code: number): number {
  const product = imul(hash ^ code, MULTIPLIER);
  return product ^ (product >>> 15);
}
