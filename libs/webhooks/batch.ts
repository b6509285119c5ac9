interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result | undefined) => void;
  reject: (error: unknown) => void;
}

// A statement's share: past some fifty rows a row costs no less, and all wait for the last.
const LARGEST = 100;

/**
 * Makes one statement of what is asked for while the one before is under way. Alone, a call waits
 * for nobody; under load PostgreSQL is asked a fraction as often. No two items of one id go together.
 * @param run gives the results by id. Where it fails each item is tried alone, so that one that
 * cannot be handled fails nobody else's.
 */
export class Batch<Item extends { id: string }, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private running = false;

  constructor(private readonly run: (items: Item[]) => Promise<Map<string, Result>>) {}

  /** The item's result; undefined when `run` gave none. */
  add(item: Item): Promise<Result | undefined> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.running) void this.work();
    });
  }

  private async work(): Promise<void> {
    this.running = true;
    // What is asked for together goes together from the start.
    await Promise.resolve();
    while (this.waiting.length > 0) await this.settle(this.next());
    this.running = false;
  }

  private next(): Waiting<Item, Result>[] {
    const batch = new Map<string, Waiting<Item, Result>>();
    const later: Waiting<Item, Result>[] = [];
    for (const each of this.waiting) {
      if (batch.size === LARGEST || batch.has(each.item.id)) later.push(each);
      else batch.set(each.item.id, each);
    }
    this.waiting = later;
    return [...batch.values()];
  }

  private async settle(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ item }) => item));
      for (const { item, resolve } of batch) resolve(results.get(item.id));
    } catch (error) {
      if (batch.length > 1) await Promise.all(batch.map((each) => this.settle([each])));
      else batch[0]?.reject(error);
    }
  }
}
