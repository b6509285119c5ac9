import { setTimeout as delay } from 'node:timers/promises';

type Falsy = false | 0 | '' | null | undefined;

const POLL_MS = 20;

/** Waits until `condition` returns something truthy, and returns that. */
export async function eventually<T>(
  what: string,
  condition: () => T | Promise<T>,
  { timeout = 60_000 } = {},
): Promise<Exclude<T, Falsy>> {
  const deadline = Date.now() + timeout;
  for (;;) {
    const value = await condition();
    if (value) return value as Exclude<T, Falsy>;
    if (Date.now() > deadline)
      throw new Error(`Timed out after ${timeout} ms waiting for ${what}.`);
    await delay(POLL_MS);
  }
}
