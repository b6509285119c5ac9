const sideName = (side: number | string) => (typeof side === 'number' ? `Version ${side}` : side);

export const words = {
  versionTitle: (name: string, version: string) => `${name}, version ${version}`,
  latestVersion: (version: number) => `Latest version: ${version}`,

  tabs: {
    label: (kind: string) => `Parts of the ${kind}`,
    document: 'Document',
    preview: 'Preview',
    translations: 'Languages',
    compare: 'Compare',
    publishing: 'Publishing',
    usages: 'Usages',
  },
  compareTitle: (name: string, from: number | string, to: number | string) =>
    typeof from === 'number' && typeof to === 'number'
      ? `Versions ${from} and ${to} of ${name}`
      : `${sideName(from)} and ${sideName(to)} of ${name}`,
  previewTitle: (name: string) => `Preview of ${name}`,
  translationsTitle: (name: string) => `Languages of ${name}`,
  publishingTitle: (name: string) => `Publications of ${name}`,
  usagesTitle: (name: string) => `Usages of ${name}`,

  duplicate: 'Duplicate',
  duplicateTitle: (name: string) => `Duplicate “${name}”`,
  duplicateName: 'Name of the copy',
  duplicateNameHint: (name: string) =>
    `If you leave this field empty, Galley names the copy “${name} (copy)”, or “${name} (copy 2)” if that name is taken.`,
  duplicateWorkspace: 'Workspace of the copy',
  duplicated: (name: string) => `“${name}” is ready.`,

  deleteQuestion: (name: string) => `Delete “${name}”?`,
  deleteText: (kind: string) => `This deletes the ${kind} with all its versions.`,
  deleteTrashText: {
    before: 'Editors can restore it from the ',
    trash: 'trash',
    after: ', usually within 30 days.',
  },
  deleteEvent: (kind: string) => `Webhooks receive ${kind}.deleted.`,
  deleteUsed:
    'Delete it even though it is in use. Documents that refer to it will show nothing in its place.',
  deleteStale: (kind: string) =>
    `Somebody else changed the ${kind} after you opened this page, so it was not deleted. The page now shows the current state. Check it, then delete it again.`,
  deleted: (name: string) => `“${name}” was moved to the trash.`,
};
