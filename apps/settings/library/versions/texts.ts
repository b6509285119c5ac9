import type { ExpandProblem } from '#client';

const PROBLEMS: Record<ExpandProblem, string> = {
  not_found: 'was deleted, or you do not have access to it.',
  wrong_kind: 'now has a type that is not allowed here.',
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
  expandHint: 'Shows the document of each module in place of its reference.',
  warnings: (count: number) =>
    count === 1 ? 'One module is not shown' : `${count} modules are not shown`,
  warning: (path: string, moduleId: string, problem: ExpandProblem) =>
    `${path}: module ${moduleId} ${PROBLEMS[problem]}`,

  versionsLabel: 'Versions, newest first',
  latest: 'Latest',
  showLatest: 'Show the latest version',
  notLatest: (version: number, latest: number) =>
    `You are looking at version ${version}. The latest version is ${latest}.`,
  nameInVersion: 'Name in this version',
  compareWithPrevious: 'Compare with the previous version',
  compareWithPreviousOf: (version: number) =>
    `Compare with the previous version: versions ${version - 1} and ${version}`,
  compareWithLatest: 'Compare with the latest version',

  label: 'Label',
  labelHint: 'A short name, such as “approved”. Several versions may have the same label.',
  note: 'Note',
  noteHint: 'Anything worth knowing about this version.',
  labelAndNote: 'Label and note',
  addLabel: 'Add a label or note',
  editLabel: 'Edit label and note',
  labelTitle: (version: number) => `Label and note of version ${version}`,
  labelSaved: (version: number) => `The label and note of version ${version} were saved.`,
  labelFilter: 'Show versions with the label',
  labelFilterPlaceholder: 'The exact label',
  noSuchLabel: 'No version has this label.',

  restore: 'Restore this version',
  restoreQuestion: (version: number) => `Restore version ${version}?`,
  restoreText: (version: number, next: number, kind: string) =>
    `Galley creates version ${next} with the name and the document of version ${version}. All versions are kept, so you can undo this. Webhooks receive ${kind}.updated.`,
  restoredModules: {
    label: 'Modules in the restored document',
    'as-then': {
      label: 'As they were then',
      description: 'The references are pinned to the module versions that this version used.',
    },
    'as-now': {
      label: 'As they are now',
      description:
        'The references do not change. References without a pin show the latest version of the module.',
    },
  },
  restoreAction: 'Restore',
  restoreAnyway: 'Restore anyway',
  restored: (version: number, next: number) =>
    `Version ${version} was restored as version ${next}.`,
  conflictTitle: (kind: string) => `Somebody else changed the ${kind}`,
  conflictText: (seen: number, latest: number) =>
    `When you opened this page, the latest version was ${seen}. It is now ${latest}. Nothing was restored, because you would have replaced a version that you have not seen.`,
  conflictVersion: (version: number, author: string) => `Version ${version} by ${author}`,
  conflictAdvice:
    'Look at the new version first. If you restore anyway, the new version stays in the history, and you can go back to it.',

  publishedIn: 'Published in',
  publishVersion: 'Publish this version',

  tags: {
    none: 'None',
    edit: 'Edit tags',
    editTitle: (name: string) => `Tags of “${name}”`,
    editLabel: 'Tags',
    editHint: 'Up to 20 tags, case-sensitive. Press Enter or type a comma after each tag.',
    editPlaceholder: 'New tag',
    editNote: 'Changing tags does not create a new version.',
    saved: 'The tags were saved.',
  },
};
