import { setTimeout as delay } from 'node:timers/promises';

/** Lets one at a time work on a key, in the order in which they come. */
export class KeyedMutex {
  /** Settled when all who have come for the key so far are done. */
  private readonly tails = new Map<string, Promise<void>>();

  /** @param createTimeoutError makes the error of whoever has waited for `patienceMs`. */
  async runExclusive<T>(
    key: string,
    work: () => Promise<T>,
    timeoutMs: number,
    createTimeoutError: () => Error,
  ): Promise<T> {
    const previous = this.tails.get(key);
    const { released, release } = createTicket();
    // Who gives up leaves before those who came earlier, and nobody may overtake these.
    const tail = previous === undefined ? released : previous.then(() => released);
    this.tails.set(key, tail);
    void tail.then(() => this.tails.get(key) === tail && this.tails.delete(key));
    try {
      if (previous !== undefined && !(await settlesWithin(previous, timeoutMs)))
        throw createTimeoutError();
      return await work();
    } finally {
      release();
    }
  }
}

function createTicket(): { released: Promise<void>; release: () => void } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  return { released, release };
}

async function settlesWithin(promise: Promise<void>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  try {
    const timeout = delay(timeoutMs, false, { signal: timer.signal });
    return await Promise.race([promise.then(() => true), timeout]);
  } finally {
    timer.abort();
  }
}
