import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits at most `limitMs` for work that need not succeed. Throws the error of the work if it fails within that time.
 */
export async function settledWithin(
  limitMs: number,
  work: Promise<unknown> | undefined,
): Promise<void> {
  await Promise.race([work, delay(limitMs, undefined, { ref: false })]);
}
