// Publishes templates in environments, immediately or at a scheduled time. For each template and environment, a pointer
// names the published version, and a history records the changes of the pointer. `libs/workspaces` manages the
// environments.
export { publicationStatuses, type Publication } from './publication.js';
export { PublishingJob } from './publishing-job.js';
export { PublishingModule } from './publishing.module.js';
export { Publishing } from './publishing.js';
export type { PublishedTemplate } from './read-published.js';
