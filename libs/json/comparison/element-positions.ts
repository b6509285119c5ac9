/**
 * The positions of an array's elements while the array changes. Elements are named by their original indexes.
 * New elements come right behind the cursor, which goes from the start to the end. Each step takes O(log n).
 */
export class ElementPositions {
  /**
   * A Fenwick tree. Slot 1 counts the elements that were inserted at the start; slot n + 2 counts the element
   * with the original index n and the elements that were inserted right behind it.
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

  /** Removes an element that is not behind the cursor. Returns the position that it had. */
  remove(index: number): number {
    const slot = index + 2;
    const position = this.countUpTo(slot - 1);
    this.add(slot, -1);
    return position;
  }

  /** Inserts an element behind the cursor and behind all elements inserted there. Returns its position. */
  insert(): number {
    const position = this.countUpTo(this.cursor);
    this.add(this.cursor, 1);
    return position;
  }

  /** Sets the cursor to an original element, which comes after the cursor. */
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
