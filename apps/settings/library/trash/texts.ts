export const words = {
  listLabel: 'Deleted templates and modules',
  intro:
    'Deleted templates and modules, with all their versions. Where a document refers to a deleted module, nothing is shown until the module is restored.',
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
    'Deleted templates and modules stay here, usually for 30 days. Until then, editors can restore them.',

  restore: 'Restore',
  restoreLabel: (name: string) => `Restore “${name}”`,
  restoredTitle: (name: string) => `“${name}” is back`,
  restoredText: 'With all its versions. Webhooks receive the event of the restore.',
  open: (name: string) => `Open “${name}”`,
  goneTitle: (name: string) => `“${name}” is no longer in the trash`,
  goneText: 'Somebody else restored it or deleted it for good. The list below is current.',

  purge: 'Delete for good',
  purgeLabel: (name: string) => `Delete “${name}” for good`,
  purgeQuestion: (name: string) => `Delete “${name}” for good?`,
  purgeText:
    'Deletes it now, with all its versions. Nobody can restore it any more. The audit log keeps an entry without the name.',
  purged: (name: string) => `“${name}” was deleted for good.`,
};
