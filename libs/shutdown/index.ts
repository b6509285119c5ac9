/*
 * The end of a program that runs: steps that need not succeed have a short limit, and the whole has one. Signals
 * while a program starts are the subject of `libs/signals`.
 */
export { endInTime, SHUTDOWN_TIMES } from './end-in-time.js';
export { settledWithin } from './settled-within.js';
