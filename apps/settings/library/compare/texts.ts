import type { ChangeType, MatchReason } from '#client';

const types: Record<ChangeType, string> = {
  added: 'Added',
  removed: 'Removed',
  moved: 'Moved',
  changed: 'Changed',
};

const matchedBy: Record<MatchReason, string> = {
  id: 'Matched by its ID.',
  content: 'Matched by its content.',
  place: 'Matched by its position.',
};

export const words = {
  choice: 'Versions to compare',
  from: 'Before',
  to: 'After',
  version: (version: number) => `Version ${version}`,
  published: 'Published',
  environment: (name: string, version: number) => `${name} (version ${version})`,
  notPublished: (environment: number | string) => `Nothing is published in ${environment}`,
  notPublishedText: 'Choose a version or another environment.',
  summary: 'Number of changes',
  count: (type: ChangeType, count: number) => `${count} ${types[type].toLowerCase()}`,
  types,
  matchedBy,
  changes: 'Changes',
  bothDocuments: 'Both documents',
  texts: { name: 'Name', category: 'Category', description: 'Description' } as Record<
    string,
    string
  >,
  wholeDocument: 'The whole document',
  absent: 'Not in this version',
  notSet: 'Not set',
  notSetOrTooLarge: 'Not set, or too large to show here',
  empty: 'Empty',
  moreCharacters: (count: number) => `${count.toLocaleString('en')} more characters`,
  identicalTitle: 'Both versions are the same',
  sameVersionText:
    'You are comparing a version with itself. Choose a different version on one side.',
  onlyVersionTitle: 'There is only one version so far',
  onlyVersionText: 'When somebody changes the document, you can compare both versions here.',
  identicalText: 'The documents are identical, character for character.',
  sameMeaningText:
    'The documents have the same content. Only their formatting differs, such as white space or the order of fields.',
  sameDocument: 'The documents are the same. Only the details below changed.',
  breakingTitle: 'Programs may have to change',
  breakingText:
    'Data that fits the first version may not fit the second one. Change the programs that render the template before you publish it.',
  incompleteTitle: 'Not all changes are shown',
  incompleteText:
    'The changes are too many or too large to list in full. The numbers above count all of them. The list below shows the first ones.',
  showMore: (count: number) => (count === 1 ? 'Show 1 more change' : `Show ${count} more changes`),
  bothEmails: 'Both emails',
  showBothEmails: 'Show both emails',
};
