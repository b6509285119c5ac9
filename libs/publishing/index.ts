// Publishes templates in environments: pointers, their history, and schedules.
export { publicationStatuses, type Publication } from './publication.js';
export { PublishingJob } from './publishing-job.js';
export { PublishingModule } from './publishing.module.js';
export { Publishing } from './publishing.js';
export type { PublishedTemplate } from './read-published.js';
