/*
 * The metrics that one program measures for all programs: the backlogs, the queue, the keys, and the words of the
 * search.
 */
export { FleetObserver } from './fleet-observer.js';
