import {
  compareTemplateVersions,
  deleteTemplate,
  duplicateTemplate,
  getTemplate,
  getTemplateVersion,
  labelTemplateVersion,
  listTemplateVersions,
  restoreTemplateVersion,
  updateTemplate,
} from '#client';
import type { Kind } from './kind.js';

export const templates: Kind = {
  name: 'template',
  section: 'templates',
  read: (request) => getTemplate(request),
  listVersions: (request) => listTemplateVersions(request),
  readVersion: (request) => getTemplateVersion(request),
  labelVersion: (request) => labelTemplateVersion(request),
  restoreVersion: (request) => restoreTemplateVersion(request),
  updateTags: (request) => updateTemplate(request),
  compare: (request) => compareTemplateVersions(request),
  duplicate: (request) => duplicateTemplate(request),
  remove: ({ client, path, headers }) => deleteTemplate({ client, path, headers }),
};
