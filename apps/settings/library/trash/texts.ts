export const words = {
  listLabel: 'Deleted templates and modules',
  intro:
    'Deleted templates and modules, with all their versions. Documents that refer to a deleted module show nothing in its place until the module is restored.',
  columns: {
    name: 'Name',
    kind: 'Kind',
    deleted: 'Deleted',
    expires: 'Expires',
    actions: 'Actions',
  },
  by: (name: string) => `by ${name}`,
  emptyTitle: 'The trash is empty',
  emptyText:
    'Deleted templates and modules stay here, usually for 30 days. During that time, editors can restore them.',

  restore: 'Restore',
  restoreLabel: (name: string) => `Restore “${name}”`,
  restoredTitle: (name: string) => `“${name}” was restored`,
  restoredText: 'All its versions are available again. Webhooks receive an event for the restore.',
  open: (name: string) => `Open “${name}”`,
  goneTitle: (name: string) => `“${name}” is no longer in the trash`,
  goneText: 'Somebody else restored it or deleted it for good. The list below is up to date.',

  purge: 'Delete for good',
  purgeLabel: (name: string) => `Delete “${name}” for good`,
  purgeQuestion: (name: string) => `Delete “${name}” for good?`,
  purgeText:
    'This deletes it now, with all its versions. Nobody can restore it afterwards. The audit log keeps an entry without the name.',
  purged: (name: string) => `“${name}” was deleted for good.`,
};
