const countOf = (count: number) =>
  `${count.toLocaleString('en')} ${count === 1 ? 'template or module' : 'templates and modules'}`;

export const words = {
  listLabel: 'Tags of the workspace',
  intro:
    'The tags of the templates and modules in this workspace. To add tags, open a template or module.',
  columns: { name: 'Tag', templates: 'Templates', modules: 'Modules', actions: 'Actions' },
  // Galley stops counting at 1,000.
  count: (count: number) => (count >= 1_000 ? '1,000 or more' : String(count)),
  countLabel: (count: string, section: 'templates' | 'modules', name: string) =>
    `${count} ${section} with the tag “${name}”`,
  emptyTitle: 'No tags yet',
  emptyText: 'Open a template or module to add tags. You can then find it by its tags.',

  actionsFor: (name: string) => `Actions for the tag “${name}”`,
  rename: 'Rename',
  renameTitle: (name: string) => `Rename the tag “${name}”`,
  newName: 'New name',
  renameHint:
    'This renames the tag in all templates and modules. If a template or module already has a tag with the new name, the two tags become one.',
  renamed: (name: string, newName: string, count: number) =>
    `“${name}” was renamed to “${newName}” in ${countOf(count)}.`,
  remove: 'Remove',
  removeTitle: (name: string) => `Remove the tag “${name}” everywhere?`,
  removeText:
    'This removes the tag from all templates and modules. Nothing else in them changes. You cannot undo this.',
  removed: (name: string, count: number) => `“${name}” was removed from ${countOf(count)}.`,
  changeEvents:
    'Webhooks receive template.updated or module.updated for each changed template or module.',
  progressLabel: 'Progress of the change',
  progress: (count: number) => `${countOf(count)} changed so far.`,
  stop: 'Stop',
  stopped: (name: string, count: number) =>
    `Stopped after ${countOf(count)}. The others still have the tag “${name}”.`,
  nameTooLong: 'Use at most 50 characters.',
  nameWithComma: 'A tag cannot contain a comma.',
  sameName: 'This is the current name. Enter a different one.',
};
