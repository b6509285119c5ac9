import type { ExpandProblem } from '#client';

const PROBLEMS: Record<ExpandProblem, string> = {
  not_found: 'was deleted, or you may not read it.',
  wrong_kind: 'has another type now, which does not fit here.',
  too_deep: 'is nested more than five modules deep.',
  too_large: 'would make the document too large.',
};

export const words = {
  id: 'ID',
  copyId: 'Copy ID',
  updated: 'Changed',
  created: 'Created',
  category: 'Category',
  description: 'Description',
  noDescription: 'None',

  latestDocument: 'Latest document',

  expand: 'Show with modules',
  expandHint: 'Shows the documents of the modules in the places of the references.',
  warnings: (count: number) =>
    count === 1 ? 'One module is missing' : `${count} modules are missing`,
  warning: (path: string, moduleId: string, problem: ExpandProblem) =>
    `${path}: module ${moduleId} ${PROBLEMS[problem]}`,

  versionsLabel: 'Versions, newest first',
  latest: 'Latest',
  showLatest: 'Show the latest version',
  notLatest: (version: number, latest: number) =>
    `You are looking at version ${version}. The latest version is ${latest}.`,
  nameInVersion: 'Name in this version',
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

  publishedIn: 'Published in',
  publishVersion: 'Publish this version',

  tags: {
    none: 'None',
    edit: 'Edit tags',
    editTitle: (name: string) => `Tags of “${name}”`,
    editLabel: 'Tags',
    editHint: 'Up to 20. Press Enter or type a comma after each tag. Upper and lower case differ.',
    editPlaceholder: 'New tag',
    editNote: 'A change of the tags makes no new version.',
    saved: 'The tags are saved.',
  },
};
