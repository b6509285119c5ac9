import { setTimeout as delay } from 'node:timers/promises';

/** Waits for work whose success the program does not need, for `limitMs` at most. An error of the work is thrown. */
export async function settledWithin(
  limitMs: number,
  work: Promise<unknown> | undefined,
): Promise<void> {
  await Promise.race([work, delay(limitMs, undefined, { ref: false })]);
}
