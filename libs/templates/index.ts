/*
 * Email templates and their versions: stored by workspace, one by one or in batches, each change with its
 * event. `publishing` has what is published in which environment. `libs/workspaces` decides on access;
 * `libs/database` has transactions and lists.
 */
export { TEMPLATE } from './template-type.js';
export { EMPTY_CONTENT, Templates, type Template } from './templates.js';
export { TemplatesModule } from './templates.module.js';
export { UsageUpdateJob } from './usage-updates/usage-update-job.js';
export {
  UsageUpdates,
  type UsageUpdate,
  type UsageUpdateFailure,
} from './usage-updates/usage-updates.js';
export { publicationStatuses, type Publication } from './publishing/publication.js';
export { PublishingJob } from './publishing/publishing-job.js';
export { Publishing } from './publishing/publishing.js';
export type { PublishedTemplate } from './publishing/read-published.js';
