import { setTimeout as delay } from 'node:timers/promises';

/** Waits at most `limitMs` for work that need not succeed. If the work fails within that time, throws its error. */
export async function settledWithin(
  limitMs: number,
  work: Promise<unknown> | undefined,
): Promise<void> {
  await Promise.race([work, delay(limitMs, undefined, { ref: false })]);
}
