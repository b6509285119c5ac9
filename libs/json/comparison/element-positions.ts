/**
 * Tracks the positions of an array's elements while the array changes. Elements are identified by their original
 * indexes. New elements are inserted right after the cursor, which moves from the start to the end. Each operation
 * takes O(log n).
 */
export class ElementPositions {
  /**
   * A Fenwick tree. Slot 1 counts the elements that were inserted at the start. Slot n + 2 counts the element with the
   * original index n and the elements that were inserted right after it.
   */
  private readonly sums: Int32Array;
  private cursor = 1;

  constructor(length: number) {
    this.sums = new Int32Array(length + 2);
    for (let slot = 1; slot < this.sums.length; slot++) {
      const covered = slot & -slot;
      this.sums[slot] = covered === slot ? covered - 1 : covered;
    }
  }

  /** Removes the element with this original index. Returns its position before the removal. */
  remove(index: number): number {
    const slot = index + 2;
    const position = this.countUpTo(slot - 1);
    this.add(slot, -1);
    return position;
  }

  /** Inserts an element after the cursor and after all elements already inserted there. Returns its position. */
  insert(): number {
    const position = this.countUpTo(this.cursor);
    this.add(this.cursor, 1);
    return position;
  }

  /** Moves the cursor forward to an original element. */
  goTo(index: number): void {
    this.cursor = index + 2;
  }

  private countUpTo(lastSlot: number): number {
    let count = 0;
    for (let slot = lastSlot; slot > 0; slot -= slot & -slot) count += this.sums[slot] as number;
    return count;
  }

  private add(firstSlot: number, difference: number): void {
    for (let slot = firstSlot; slot < this.sums.length; slot += slot & -slot) {
      this.sums[slot] = (this.sums[slot] as number) + difference;
    }
  }
}
