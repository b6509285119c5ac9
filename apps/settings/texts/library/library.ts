import type { ExpandProblem } from '#client';

const PROBLEMS: Record<ExpandProblem, string> = {
  not_found: 'was deleted, or you may not read it.',
  wrong_kind: 'has another type now, which does not fit here.',
  too_deep: 'is nested more than five modules deep.',
  too_large: 'would make the document too large.',
};

const sideName = (side: number | string) => (typeof side === 'number' ? `Version ${side}` : side);

export const library = {
  templatesLabel: 'Templates of the workspace',
  modulesLabel: 'Modules of the workspace',
  columns: {
    name: 'Name',
    version: 'Version',
    category: 'Category',
    updated: 'Changed',
    created: 'Created',
  },
  searchLabel: 'Search by name',
  searchPlaceholder: 'Part of a name',
  sortLabel: 'Sort by',
  sorts: {
    '-updatedAt': 'Last change, newest first',
    updatedAt: 'Last change, oldest first',
    '-createdAt': 'Creation, newest first',
    createdAt: 'Creation, oldest first',
    name: 'Name, A to Z',
    '-name': 'Name, Z to A',
  },
  categoryLabel: 'Category',
  categoryPlaceholder: 'All categories',
  noCategory: 'None',
  noTemplatesTitle: 'No templates yet',
  noTemplatesText:
    'Templates come from your email editor: it stores them with POST /api/templates. Each template and its versions then appear here.',
  noModulesTitle: 'No modules yet',
  noModulesText:
    'Modules are parts that several templates share, such as a footer. Your email editor stores them with POST /api/modules, and they then appear here.',
  noMatchTitle: 'Nothing matches',
  noMatchText:
    'Nothing passes all of the filters. In tags and categories, upper and lower case differ.',
  clearFilters: 'Clear the filters',

  versionOf: (version: number) => `Version ${version}`,
  latestVersion: (version: number) => `Latest version: ${version}`,
  versionTitle: (name: string, version: string) => `${name}, version ${version}`,
  id: 'ID',
  copyId: 'Copy ID',
  updated: 'Changed',
  created: 'Created',
  category: 'Category',
  description: 'Description',
  noDescription: 'None',

  tabs: {
    label: (kind: string) => `Parts of the ${kind}`,
    document: 'Document',
    preview: 'Preview',
    compare: 'Compare',
    publishing: 'Publishing',
    usages: 'Usages',
  },
  compareTitle: (name: string, from: number | string, to: number | string) =>
    typeof from === 'number' && typeof to === 'number'
      ? `Versions ${from} and ${to} of ${name}`
      : `${sideName(from)} and ${sideName(to)} of ${name}`,
  previewTitle: (name: string) => `Preview of ${name}`,
  publishingTitle: (name: string) => `Publishing of ${name}`,
  usagesTitle: (name: string) => `Usages of ${name}`,

  latestDocument: 'Latest document',
  size: (size: string) => `${size} of JSON`,
  copyJson: 'Copy JSON',
  expandAll: 'Expand all',
  collapseAll: 'Collapse',
  treeLabel: 'The document as JSON',
  elements: (count: number) => (count === 1 ? '1 element' : `${count} elements`),
  fields: (count: number) => (count === 1 ? '1 field' : `${count} fields`),
  moreCharacters: (count: number) => `${count} more characters`,
  toggle: (key: string) => `Show or hide ${key}`,
  root: 'the document',

  expand: 'Show with modules',
  expandHint: 'Shows the documents of the modules in the places of the references.',
  warnings: (count: number) =>
    count === 1 ? 'One module is missing' : `${count} modules are missing`,
  warning: (path: string, moduleId: string, problem: ExpandProblem) =>
    `${path}: module ${moduleId} ${PROBLEMS[problem]}`,
  referenceTo: (name = 'module', version?: number) =>
    version === undefined ? `Open ${name}` : `Open ${name}, version ${version}`,

  versions: 'Versions',
  versionsLabel: 'Versions, newest first',
  latest: 'Latest',
  unknownAuthor: 'An API key or a former member',
  showLatest: 'Show the latest version',
  notLatest: (version: number, latest: number) =>
    `You are looking at version ${version}. The latest version is ${latest}.`,
  nameInVersion: 'Name in this version',
  versionAsLatest: (version: number) => `Version ${version} (latest)`,
  noSuchVersion: 'No such version',
  compareWithPrevious: 'Compare with the version before',
  compareWithPreviousOf: (version: number) =>
    `Compare with the version before: version ${version - 1} with version ${version}`,
  compareWithLatest: 'Compare with the latest version',

  label: 'Label',
  labelHint: 'A short name, such as “approved”. Several versions may have the same label.',
  note: 'Note',
  noteHint: 'What to know about the version.',
  labelAndNote: 'Label and note',
  addLabel: 'Add a label or note',
  editLabel: 'Edit label and note',
  labelTitle: (version: number) => `Label and note of version ${version}`,
  labelSaved: (version: number) => `The label and note of version ${version} are saved.`,
  labelFilter: 'Show versions with the label',
  labelFilterPlaceholder: 'The exact label',
  noSuchLabel: 'No version has this label.',

  restore: 'Restore this version',
  restoreQuestion: (version: number) => `Restore version ${version}?`,
  restoreText: (version: number, next: number, kind: string) =>
    `Galley creates version ${next} with the name and the document of version ${version}. All versions stay, so you can undo this. Webhooks receive ${kind}.updated.`,
  restoredModules: {
    label: 'Modules in the restored document',
    'as-then': {
      label: 'As they were then',
      description: 'The references pin the versions of that time.',
    },
    'as-now': {
      label: 'As they are now',
      description: 'The references stay as they are in this version.',
    },
  },
  restoreAction: 'Restore',
  restoreAnyway: 'Restore anyway',
  restored: (version: number, next: number) => `Version ${version} is now version ${next}.`,
  conflictTitle: (kind: string) => `Somebody else changed the ${kind}`,
  conflictText: (seen: number, latest: number) =>
    `When you opened this page, the latest version was ${seen}. Now it is ${latest}, so nothing was restored: you would have replaced a version that you have not seen.`,
  conflictVersion: (version: number, author: string) => `Version ${version} by ${author}`,
  conflictAdvice:
    'Look at the new version first. If you restore anyway, it stays in the history and you can go back to it.',

  duplicate: 'Duplicate',
  duplicateTitle: (name: string) => `Duplicate “${name}”`,
  duplicateName: 'Name of the copy',
  duplicateNameHint: (name: string) =>
    `Without a name, Galley calls the copy “${name} (copy)” or, if that name is taken, “${name} (copy 2)”.`,
  duplicateWorkspace: 'Workspace of the copy',
  duplicated: (name: string) => `“${name}” is ready.`,

  deleteQuestion: (name: string) => `Delete “${name}”?`,
  deleteText: (kind: string) => `Deletes the ${kind} with all its versions.`,
  deleteTrashText: {
    before: 'Editors can restore it from the ',
    trash: 'trash',
    after: ', usually for 30 days.',
  },
  deleteEvent: (kind: string) => `Webhooks receive ${kind}.deleted.`,
  deleteUsed: 'Delete it although it is in use. Where documents refer to it, nothing is shown.',
  deleteStale: (kind: string) =>
    `Somebody else changed the ${kind} after you opened this page, so it was not deleted. The page now shows the current state. Check it, then delete it again.`,
  deleted: (name: string) => `“${name}” is in the trash now.`,
  kinds: { template: 'template', module: 'module' },
  kindNames: { template: 'Template', module: 'Module' },
};
