export { TemplateBatches } from './template-batches.js';
export { TemplateVersions, type TemplateVersion } from './template-versions.js';
export { EMPTY_CONTENT, Templates, type Template } from './templates.js';
export { TemplatesModule } from './templates.module.js';
