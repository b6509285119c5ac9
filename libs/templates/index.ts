export { TemplateVersions } from './template-versions.js';
export { Templates } from './templates.js';
export { TemplatesModule } from './templates.module.js';
