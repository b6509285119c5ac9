import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits at most `limitMs` for work whose success the program does not need. Throws the error of the work, if it fails.
 */
export async function settledWithin(
  limitMs: number,
  work: Promise<unknown> | undefined,
): Promise<void> {
  await Promise.race([work, delay(limitMs, undefined, { ref: false })]);
}
