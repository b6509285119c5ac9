import type { ChangeType, MatchReason } from '#client';

const types: Record<ChangeType, string> = {
  added: 'Added',
  removed: 'Removed',
  moved: 'Moved',
  changed: 'Changed',
};

const matchedBy: Record<MatchReason, string> = {
  id: 'Recognised by its id.',
  content: 'Recognised by its content.',
  place: 'Recognised by its place.',
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
  node: 'The part of the document as JSON',
  moreCharacters: (count: number) => `${count.toLocaleString('en')} more characters`,
  identicalTitle: 'Both versions are the same',
  sameVersionText: 'This is the same version twice. Choose another one to compare it with.',
  onlyVersionTitle: 'There is only one version so far',
  onlyVersionText: 'When somebody changes the document, you can compare both versions here.',
  identicalText: 'The documents are equal, character by character.',
  sameMeaningText:
    'The documents mean the same. Only their spelling differs, such as white space or the order of fields.',
  sameDocument: 'The documents are the same. What changed is beside the document.',
  incompleteTitle: 'Not all changes are shown',
  incompleteText:
    'There are too many or too large changes. The numbers above count all of them, and the list below shows the first ones.',
  showMore: (count: number) => (count === 1 ? 'Show 1 more change' : `Show ${count} more changes`),
  bothEmails: 'Both emails',
  showBothEmails: 'Show both emails',
};
