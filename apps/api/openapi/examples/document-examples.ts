import { textFieldsOf, type DocumentKind } from '#documents';
import { exampleIds as ids, requestExamples as requests } from './request-examples.js';
import { pageOf, syncPageOf, timeAt } from './values.js';

const { workspace: workspaceId } = ids;

/** All text fields of a template or module. Fields that the example request does not set are empty. */
function textsOf(kind: DocumentKind, operation: string): Record<string, string> {
  const request = requests[operation] as Record<string, string> | undefined;
  return Object.fromEntries(textFieldsOf(kind).map(([name]) => [name, request?.[name] ?? '']));
}

const templateTexts = textsOf('template', 'createTemplate');
const template = {
  id: ids.template,
  ...templateTexts,
  ...requests['createTemplate'],
  version: 1,
  createdAt: timeAt('32'),
  createdBy: ids.user,
  updatedAt: timeAt('32'),
  updatedBy: ids.user,
};
const { content, ...templateSummary } = template as typeof template & { content?: object };
const createdBy = ids.user;
const noLabels = { label: '', note: '' };
const versionFields = { ...noLabels, ...templateTexts, createdBy };
const versions = [
  { version: 2, name: 'Welcome aboard', ...versionFields, createdAt: timeAt('33') },
  { version: 1, name: 'Welcome', ...versionFields, createdAt: timeAt('32') },
];
const moduleTexts = textsOf('module', 'createModule');
const module = {
  id: ids.module,
  ...moduleTexts,
  ...requests['createModule'],
  version: 1,
  createdAt: timeAt('34'),
  createdBy: ids.user,
  updatedAt: timeAt('34'),
  updatedBy: ids.user,
};
const { content: footer, ...moduleSummary } = module as typeof module & { content?: object };
const updatedModule = {
  ...module,
  description: 'With the unsubscribe link.',
  version: 2,
  updatedAt: timeAt('35'),
};
const moduleVersion = {
  version: 1,
  name: 'Footer',
  ...noLabels,
  ...moduleTexts,
  createdAt: timeAt('34'),
  createdBy,
};

const usageUpdate = {
  id: ids.usageUpdate,
  status: 'running',
  toVersion: 3,
  total: 1,
  done: 0,
  failed: 0,
  failures: [],
  createdAt: timeAt('38'),
  finishedAt: null,
};

const foundFooter = (fields: { id: string; name: string; version: number; updatedAt: string }) => ({
  ...fields,
  kind: 'module',
  workspaceId,
  tags: ['legal'],
  createdAt: timeAt('34'),
  highlights: {
    name: [{ text: fields.name, isMatch: false }],
    text: [
      [
        { text: 'You can ', isMatch: false },
        { text: 'unsubscribe', isMatch: true },
        { text: ' at any time.', isMatch: false },
      ],
    ],
  },
});

/** The responses about templates and modules, by `operationId`. */
export const documentExamples: Record<string, object> = {
  createTemplate: template,
  getTemplate: template,
  getTemplateByExternalId: template,
  upsertTemplate: template,
  updateModuleUsages: usageUpdate,
  listModuleUsageUpdates: {
    data: [{ ...usageUpdate, status: 'done', done: 1, finishedAt: timeAt('39') }],
  },
  updateTemplate: {
    ...template,
    ...requests['updateTemplate'],
    version: 2,
    updatedAt: timeAt('33'),
  },
  listTemplateVersions: pageOf(...versions),
  getTemplateVersion: { ...versions[1], content },
  labelTemplateVersion: { ...versions[1], label: 'approved', note: 'Approved by legal.' },
  restoreTemplateVersion: { ...template, version: 3, updatedAt: timeAt('34') },
  listTemplates: syncPageOf({ ...template, version: 3, updatedAt: timeAt('34') }),
  duplicateTemplate: {
    ...template,
    id: ids.templateCopy,
    name: 'Welcome back',
    externalId: null,
  },
  batchTemplates: {
    data: [
      {
        action: 'create',
        template: {
          ...templateSummary,
          id: ids.batchedTemplate,
          name: 'Goodbye',
          tags: [],
          externalId: null,
          version: 1,
        },
      },
      { action: 'update', template: { ...templateSummary, version: 3 } },
      { action: 'delete', id: ids.templateCopy },
    ],
  },
  search: pageOf(
    foundFooter({ id: ids.moduleCopy, name: 'Footer (copy)', version: 1, updatedAt: timeAt('38') }),
    foundFooter({ id: ids.module, name: 'Footer', version: 3, updatedAt: timeAt('36') }),
  ),
  listTags: pageOf(
    { name: 'legal', templates: 0, modules: 2 },
    { name: 'onboarding', templates: 1, modules: 0 },
  ),
  renameTag: { changed: 1, isComplete: true },
  removeTag: { changed: 2, isComplete: true },
  createModule: module,
  getModule: module,
  getModuleByExternalId: module,
  upsertModule: module,
  updateModule: updatedModule,
  listModuleVersions: pageOf(
    {
      ...moduleVersion,
      version: 2,
      description: 'With the unsubscribe link.',
      createdAt: timeAt('35'),
    },
    moduleVersion,
  ),
  getModuleVersion: { ...moduleVersion, content: footer },
  labelModuleVersion: { ...moduleVersion, label: 'approved' },
  restoreModuleVersion: { ...module, version: 3, updatedAt: timeAt('36') },
  listModules: syncPageOf({ ...module, version: 3, updatedAt: timeAt('36') }),
  listModuleUsages: pageOf({
    kind: 'template',
    id: ids.batchedTemplate,
    name: 'Goodbye',
    workspaceId,
    version: 1,
    moduleId: ids.module,
    pinnedVersion: 1,
    occurrences: 1,
  }),
  duplicateModule: { ...module, id: ids.moduleCopy, name: 'Footer (copy)', externalId: null },
  batchModules: {
    data: [
      {
        action: 'create',
        module: {
          ...moduleSummary,
          id: ids.batchedModule,
          name: 'Legal notice',
          externalId: 'legal-notice',
          category: '',
          description: '',
          tags: [],
          updatedAt: timeAt('38'),
        },
      },
      { action: 'delete', id: ids.moduleCopy },
    ],
  },
};
