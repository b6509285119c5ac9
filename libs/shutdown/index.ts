/*
 * The shutdown of a running program. Steps that need not succeed have a short time limit, and the shutdown as a whole
 * has a longer one. `libs/signals` handles signals while a program starts.
 */
export { endInTime, SHUTDOWN_TIMES } from './end-in-time.js';
export { settledWithin } from './settled-within.js';
