export const filters = {
  updatedBy: 'Changed by',
  anybody: 'Anybody',
  unknownAuthor: 'Somebody who has left',
  usedModule: 'Uses the module',
  anyModule: 'Any module or none',
  missingModule: 'A deleted module',
  published: 'Published',
  publishedOrNot: 'Published or not',
  publishedIn: (environment: string) => `In ${environment}`,
  notPublishedIn: (environment: string) => `Not in ${environment}`,
};
