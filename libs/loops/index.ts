/*
 * Work that a program repeats: a loop runs its step, pauses, and may be woken. A step that fails is logged, counted
 * and tried again.
 */
export { Loop } from './loop.js';
export { Loops } from './loops.js';
