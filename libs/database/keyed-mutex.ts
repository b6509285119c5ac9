import { setTimeout as delay } from 'node:timers/promises';

/** Runs one piece of work at a time for each key, in the order of arrival. */
export class KeyedMutex {
  /** For each key, a promise that resolves when all work that has arrived for the key is done. */
  private readonly tails = new Map<string, Promise<void>>();

  /** @param createTimeoutError creates the error for work that has waited for `timeoutMs`. */
  async runExclusive<T>(
    key: string,
    work: () => Promise<T>,
    timeoutMs: number,
    createTimeoutError: () => Error,
  ): Promise<T> {
    const previous = this.tails.get(key);
    const { released, release } = createTicket();
    // If this work gives up, later work must still wait for the earlier work that is running.
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
