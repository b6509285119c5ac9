const sideName = (side: number | string) => (typeof side === 'number' ? `Version ${side}` : side);

export const words = {
  versionTitle: (name: string, version: string) => `${name}, version ${version}`,
  latestVersion: (version: number) => `Latest version: ${version}`,

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
};
