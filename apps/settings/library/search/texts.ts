export const words = {
  label: 'Search templates and modules',
  placeholder: 'Words from names or content',
  kindLabel: 'Kind',
  anyKind: 'Templates and modules',
  kinds: { template: 'Templates', module: 'Modules' },
  resultsLabel: 'Results, best matches first',
  count: (count: number, hasMore: boolean) => {
    if (count === 0) return 'No results';
    if (hasMore) return `More than ${count} results. These are the best matches.`;
    return count === 1 ? '1 result' : `${count} results`;
  },
  tooMany: 'There may be more results. Add a word to narrow the search.',
  similar: 'Nothing contains all of these words. These names are similar:',
  version: (version: number) => `Version ${version}`,
  startTitle: 'Search names and content',
  startText:
    'Enter words from a name, or words that a reader of the email sees. For the last word, its beginning is enough.',
  nothingTitle: 'Nothing found',
  nothingText: (query: string) =>
    `No template or module contains all the words in “${query}”, and no name is similar. Try fewer words.`,
  nothingOfKindText: (kind: string, query: string) =>
    `No ${kind} contains all the words in “${query}”, and no name is similar. Try fewer words, or search both templates and modules.`,
};
