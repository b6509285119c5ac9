import {
  compareModuleVersions,
  deleteModule,
  duplicateModule,
  getModule,
  getModuleVersion,
  labelModuleVersion,
  listModuleVersions,
  restoreModuleVersion,
  updateModule,
} from '#client';
import type { Kind } from './kind.js';

export const modules: Kind = {
  name: 'module',
  section: 'modules',
  read: (request) => getModule(request),
  listVersions: (request) => listModuleVersions(request),
  readVersion: (request) => getModuleVersion(request),
  labelVersion: (request) => labelModuleVersion(request),
  restoreVersion: (request) => restoreModuleVersion(request),
  updateTags: (request) => updateModule(request),
  compare: (request) => compareModuleVersions(request),
  duplicate: (request) => duplicateModule(request),
  remove: (request) => deleteModule(request),
};
