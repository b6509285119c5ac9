/*
 * Background loops. A loop runs its step, pauses, and may be woken early. A failed step is logged, counted and retried.
 */
export { Loop } from './loop.js';
export { Loops } from './loops.js';
