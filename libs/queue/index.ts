export { migrateQueue } from './backend.js';
export { JobQueue, type DeliveryJob } from './job-queue.js';
export { QueueModule } from './queue.module.js';
export { WakeUp } from './wake-up.js';
