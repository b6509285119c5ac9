/*
 * The readiness check that the API and the worker share: it runs a program's checks in order and reports
 * the first problem. Which checks there are is decided by the programs.
 */
export { Readiness, type ReadinessCheck } from './readiness.js';
