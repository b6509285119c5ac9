/*
 * The metrics of what all programs have in common: backlogs, the queue, the keys, the words of the search.
 */
export { FleetObserver } from './fleet-observer.js';
