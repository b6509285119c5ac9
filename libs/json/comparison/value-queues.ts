import { NONE } from './tree/document-tree.js';

/** Queues of values, one for each key. Keys and values are small numbers. */
export class ValueQueues {
  private readonly firsts: Int32Array;
  private readonly lasts: Int32Array;
  private readonly followers: Int32Array;
  private usedKeys: number[] = [];

  constructor(keyCount: number, valueCount: number) {
    this.firsts = new Int32Array(keyCount).fill(NONE);
    this.lasts = new Int32Array(keyCount);
    this.followers = new Int32Array(valueCount);
  }

  add(key: number, value: number): void {
    if (this.firsts[key] === NONE) {
      this.firsts[key] = value;
      this.usedKeys.push(key);
    } else {
      this.followers[this.lasts[key] as number] = value;
    }
    this.lasts[key] = value;
    this.followers[value] = NONE;
  }

  /** Removes and returns the first value of the queue; NONE if the queue is empty. */
  take(key: number): number {
    const first = this.firsts[key] as number;
    if (first !== NONE) this.firsts[key] = this.followers[first] as number;
    return first;
  }

  clear(): void {
    for (const key of this.usedKeys) this.firsts[key] = NONE;
    this.usedKeys = [];
  }
}
