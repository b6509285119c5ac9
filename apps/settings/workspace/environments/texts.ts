export const words = {
  listLabel: 'Environments of the workspace',
  intro:
    'Templates are published to an environment, and programs read what is published there. Every workspace has an environment named production. Add other environments to check a version before customers receive it.',
  columns: { name: 'Name', by: 'Created by', created: 'Created', actions: 'Actions' },
  builtIn: 'Built in',
  create: 'Add environment',
  createTitle: 'Add an environment',
  nameLabel: 'Name',
  nameHint: '1 to 32 lowercase letters, digits and hyphens. You cannot change the name later.',
  namePlaceholder: 'staging',
  nameInvalid: 'Use 1 to 32 lowercase letters, digits and hyphens.',
  nameTaken: 'An environment with this name already exists.',
  limitReached: 'A workspace can have at most 20 environments. Delete one before you add another.',
  created: (name: string) => `Templates can now be published to “${name}”.`,
  delete: 'Delete',
  deleteFor: (name: string) => `Delete ${name}`,
  deleteQuestion: (name: string) => `Delete the environment “${name}”?`,
  deleteText:
    'Programs that read this environment will no longer find any templates there. The history of the templates is kept.',
  limitedKeys:
    'These API keys can read only this environment, so they will no longer find anything:',
  inUseTitle: 'The environment is in use',
  inUseText: 'Templates are published or scheduled in this environment, so it was not deleted.',
  force: 'Unpublish all templates from this environment, and cancel its scheduled publications',
  forceHint: 'Webhooks receive template.unpublished for each template.',
  deleted: (name: string) => `The environment “${name}” was deleted.`,
  alreadyDeleted: 'Somebody else has already deleted the environment.',
};
