export const words = {
  general: 'General',
  nameLabel: 'Name',
  nameHint: 'All members see this name.',
  ownerOnly: 'Only an owner can rename the workspace.',
  idLabel: 'Workspace ID',
  idHint: 'Requests to the API name the workspace by this ID.',
  copyId: 'Copy ID',
  created: 'Created',
  yourRole: 'Your role',
  renamed: (name: string) => `The workspace is now called “${name}”.`,
  renamedMeanwhileTitle: 'Somebody else renamed the workspace',
  renamedMeanwhile: (name: string) =>
    `The workspace was renamed to “${name}” after you opened this page, so your name was not saved. Your name is still in the field: save again if it should replace the other one.`,
  leave: 'Leave workspace',
  leaveText:
    'You lose access at once. To come back, you need a new invitation from an admin or owner.',
  leaveQuestion: (name: string) => `Leave “${name}”?`,
  left: (name: string) => `You left “${name}”.`,
  lastOwnerHint:
    'If you are the only owner, appoint another owner on the members page before you leave.',
  delete: 'Delete workspace',
  deleteText:
    'Deletes the workspace with its members, API keys and webhooks. Nobody can undo this.',
  deleteQuestion: (name: string) => `Delete “${name}”?`,
  deleteEffects: [
    'All members and API keys lose access at once.',
    'Galley sends the last events to the webhooks and then deletes the webhooks.',
    'Nobody can undo this, not even the people who run Galley.',
  ],
  deleteNotEmpty:
    'The workspace still has templates or modules. Select the box below to delete them as well, or delete them first.',
  deleteContents: 'Also delete all templates and modules, with all versions',
  deleteContentsHint: 'Webhooks receive an event for each of them.',
  deleteConfirmLabel: 'To confirm, enter the name of the workspace',
  deleteStale:
    'Somebody else changed the workspace after you opened this page. Check its name and confirm again.',
  deleted: (name: string) => `“${name}” was deleted.`,
};
