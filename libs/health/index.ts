/*
 * The readiness check that the API and the worker share: it runs a program's checks in order and reports
 * the first problem. Each program chooses its checks.
 */
export { Readiness } from './readiness.js';
