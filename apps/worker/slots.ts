interface Waiting {
  most: number;
  resolve: (slots: number) => void;
}

/** So many deliveries are under way at most; whoever finds none free waits, first come, first served. */
export class Slots {
  private readonly waiting: Waiting[] = [];
  private closed = false;
  private whenAllFree: () => void = () => undefined;
  private available: number;

  constructor(private readonly size: number) {
    this.available = size;
  }

  /** Takes up to `most` of those that are free, at least one; 0 when they were closed meanwhile. */
  async take(most: number): Promise<number> {
    if (this.closed) return 0;
    if (this.available === 0) return new Promise((resolve) => this.waiting.push({ most, resolve }));
    return this.grant(most);
  }

  free(slots: number): void {
    this.available += slots;
    while (this.available > 0) {
      const next = this.waiting.shift();
      if (next === undefined) break;
      next.resolve(this.grant(next.most));
    }
    if (this.available === this.size) this.whenAllFree();
  }

  /** Sends away whoever waits, and resolves when nothing is under way. */
  async close(): Promise<void> {
    this.closed = true;
    for (const { resolve } of this.waiting.splice(0)) resolve(0);
    if (this.available < this.size) {
      await new Promise<void>((resolve) => (this.whenAllFree = resolve));
    }
  }

  private grant(most: number): number {
    const slots = Math.min(most, this.available);
    this.available -= slots;
    return slots;
  }
}
