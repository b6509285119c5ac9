import { setTimeout as delay } from 'node:timers/promises';

/** Lets one at a time work on a key, in the order in which they come. */
export class KeyedMutex {
  /** Settled when all who have come for the key so far are done. */
  private readonly tails = new Map<string, Promise<void>>();

  /** @param giveUp makes the error of whoever has waited for `patienceMs`. */
  async run<T>(
    key: string,
    work: () => Promise<T>,
    patienceMs: number,
    giveUp: () => Error,
  ): Promise<T> {
    const before = this.tails.get(key);
    const { done, leave } = turn();
    // Who gives up leaves before those who came earlier, and nobody may overtake these.
    const tail = before === undefined ? done : before.then(() => done);
    this.tails.set(key, tail);
    void tail.then(() => this.tails.get(key) === tail && this.tails.delete(key));
    try {
      if (before !== undefined && !(await settles(before, patienceMs))) throw giveUp();
      return await work();
    } finally {
      leave();
    }
  }
}

function turn(): { done: Promise<void>; leave: () => void } {
  let leave = (): void => undefined;
  const done = new Promise<void>((resolve) => (leave = resolve));
  return { done, leave };
}

async function settles(promise: Promise<void>, withinMs: number): Promise<boolean> {
  const timer = new AbortController();
  try {
    const late = delay(withinMs, false, { signal: timer.signal });
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    timer.abort();
  }
}
