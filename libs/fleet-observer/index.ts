/*
 * The metrics that one process measures on behalf of all processes: the backlogs, the queue, the encryption keys, and
 * the documents that wait for search indexing.
 */
export { FleetObserver } from './fleet-observer.js';
