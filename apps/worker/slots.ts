/** So many deliveries are under way at most; whoever finds none free waits for one, first come, first served. */
export class Slots {
  private readonly waiting: ((slot: boolean) => void)[] = [];
  private taken = 0;
  private closed = false;
  private whenAllFree: () => void = () => undefined;

  constructor(private readonly size: number) {}

  /** Whether there was a slot: false when they were closed meanwhile. */
  async take(): Promise<boolean> {
    if (this.closed) return false;
    if (this.taken === this.size) return new Promise((resolve) => this.waiting.push(resolve));
    this.taken++;
    return true;
  }

  free(): void {
    // Handed on, so that nobody who comes meanwhile takes it from whoever has waited.
    const next = this.waiting.shift();
    if (next !== undefined) {
      next(true);
      return;
    }
    this.taken--;
    if (this.taken === 0) this.whenAllFree();
  }

  /** Sends away whoever waits, and resolves when nothing is under way. */
  async close(): Promise<void> {
    this.closed = true;
    for (const resolve of this.waiting.splice(0)) resolve(false);
    if (this.taken > 0) await new Promise<void>((resolve) => (this.whenAllFree = resolve));
  }
}
