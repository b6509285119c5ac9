/*
 * A queue that shares slots among callers, so that no caller waits for the long work of another. The API uses it for
 * its database connections, and `libs/rendering` for its threads. The owner of the queue decides what a slot is, and
 * which error a refused request gets.
 */
export { FairQueue, type Ticket, type WaitRules } from './fair-queue.js';
