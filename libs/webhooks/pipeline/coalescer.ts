interface PendingItem<Item, Result> {
  item: Item;
  resolve: (result: Result | undefined) => void;
  reject: (error: unknown) => void;
}

// Maximum number of items in one statement. Beyond about fifty items, the cost per item stops falling, while every
// caller waits for the whole statement.
const MAX_CHUNK_SIZE = 100;

/**
 * Combines calls: items that arrive while a statement runs share the next statement. A single call does not wait. Under
 * load, PostgreSQL receives far fewer statements. Two items with the same key never share a statement.
 * @param run returns the results by key. If `run` fails for several items, it runs again for each item alone, so that
 * one bad item does not make the others fail.
 */
export class Coalescer<Item extends { key: string }, Result> {
  private pending: PendingItem<Item, Result>[] = [];
  private isFlushing = false;

  constructor(private readonly run: (items: Item[]) => Promise<Map<string, Result>>) {}

  /** Returns the item's result; undefined if `run` returned none. */
  add(item: Item): Promise<Result | undefined> {
    return new Promise((resolve, reject) => {
      this.pending.push({ item, resolve, reject });
      if (!this.isFlushing) void this.flush();
    });
  }

  private async flush(): Promise<void> {
    this.isFlushing = true;
    // Waits for the other calls of the same tick, so that they share the first statement.
    await Promise.resolve();
    while (this.pending.length > 0) await this.runChunk(this.takeChunk());
    this.isFlushing = false;
  }

  private takeChunk(): PendingItem<Item, Result>[] {
    const chunk = new Map<string, PendingItem<Item, Result>>();
    const remaining: PendingItem<Item, Result>[] = [];
    for (const entry of this.pending) {
      if (chunk.size === MAX_CHUNK_SIZE || chunk.has(entry.item.key)) remaining.push(entry);
      else chunk.set(entry.item.key, entry);
    }
    this.pending = remaining;
    return [...chunk.values()];
  }

  private async runChunk(chunk: PendingItem<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(chunk.map(({ item }) => item));
      for (const { item, resolve } of chunk) resolve(results.get(item.key));
    } catch (error) {
      if (chunk.length > 1) await Promise.all(chunk.map((entry) => this.runChunk([entry])));
      else chunk[0]?.reject(error);
    }
  }
}
