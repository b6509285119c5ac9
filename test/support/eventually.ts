import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;

/** Waits until `condition` gives something truthy, and gives that. */
export async function eventually<T>(
  what: string,
  condition: () => T | Promise<T>,
  { timeout = 20_000 } = {},
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeout;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`Waited ${timeout} ms in vain for: ${what}.`);
    await delay(POLL_MS);
  }
}
