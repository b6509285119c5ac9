/*
 * A queue that shares slots among callers, so that no caller waits for the long work of another. The API shares its
 * database connections with it, and `libs/rendering` its threads. What a slot is, and what a refused request is told,
 * is up to the owner of the queue.
 */
export { FairQueue, type Ticket, type WaitRules } from './fair-queue.js';
