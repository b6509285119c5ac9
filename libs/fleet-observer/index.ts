/*
 * The metrics that one process measures for all processes: the backlogs, the queue, the encryption keys, and the
 * documents that wait to be indexed for the search.
 */
export { FleetObserver } from './fleet-observer.js';
