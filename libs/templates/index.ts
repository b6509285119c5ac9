/*
 * Email templates and their versions: stored by workspace, one by one or in batches, each change with its
 * event. `libs/workspaces` decides on access; `libs/database` has transactions and lists.
 */
export { TemplateVersions, type TemplateVersion } from './template-versions.js';
export { EMPTY_CONTENT, Templates, type Template } from './templates.js';
export { TemplatesModule } from './templates.module.js';
