export const words = {
  general: 'General',
  nameLabel: 'Name',
  nameHint: 'All members see this name.',
  ownerOnly: 'Only an owner can rename the workspace.',
  idLabel: 'Workspace ID',
  idHint: 'API requests identify the workspace by this ID.',
  copyId: 'Copy ID',
  created: 'Created',
  yourRole: 'Your role',
  renamed: (name: string) => `The workspace is now called “${name}”.`,
  renamedMeanwhileTitle: 'Somebody else renamed the workspace',
  renamedMeanwhile: (name: string) =>
    `The workspace was renamed to “${name}” after you opened this page, so your change was not saved. The name that you entered is still in the field. To use it, save again.`,
  leave: 'Leave workspace',
  leaveText:
    'You lose access immediately. To come back, you need a new invitation from an admin or owner.',
  leaveQuestion: (name: string) => `Leave “${name}”?`,
  left: (name: string) => `You left “${name}”.`,
  lastOwnerHint:
    'If you are the only owner, appoint another owner on the members page before you leave.',
  delete: 'Delete workspace',
  deleteText:
    'This deletes the workspace with its members, API keys and webhooks, and cannot be undone.',
  deleteQuestion: (name: string) => `Delete “${name}”?`,
  deleteEffects: [
    'All members and API keys lose access immediately.',
    'Galley sends the last events to the webhooks and then deletes the webhooks.',
    'This cannot be undone, not even by the people who run Galley.',
  ],
  deleteNotEmpty:
    'The workspace still has templates, modules or pictures. Select the box below to delete them as well, or delete them first.',
  deleteContents: 'Also delete all templates and modules, with all versions',
  deleteContentsHint: 'Webhooks receive one event for each deleted template or module.',
  deleteConfirmLabel: 'To confirm, enter the name of the workspace',
  deleteStale:
    'Somebody else changed the workspace after you opened this page. Check its name and confirm again.',
  deleted: (name: string) => `“${name}” was deleted.`,
};
