export { migrateQueue } from './backend.js';
export { JobQueue } from './job-queue.js';
export { QueueModule } from './queue.module.js';
export { WakeUp } from './wake-up.js';
