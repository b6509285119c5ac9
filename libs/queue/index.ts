/*
 * BullMQ on Redis or on PostgreSQL: jobs that tell workers where to look for due work, and the signal that the outbox
 * has new rows. A job may be lost or repeated, because PostgreSQL is the source of truth for what is due. Only the
 * worker interprets the content of a job.
 */
export { migrateQueue } from './backend.js';
export { findPostgresQueueProblem, inspectRedis, type RedisState } from './inspection.js';
export { JobQueue } from './job-queue.js';
export { QueueModule } from './queue.module.js';
export { WakeUp } from './wake-up.js';
