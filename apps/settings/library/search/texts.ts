export const words = {
  label: 'Search templates and modules',
  placeholder: 'Words of a name or text',
  kindLabel: 'Kind',
  anyKind: 'Templates and modules',
  kinds: { template: 'Templates', module: 'Modules' },
  resultsLabel: 'Results, best first',
  count: (count: number, hasMore: boolean) => {
    if (count === 0) return 'No results';
    if (hasMore) return `More than ${count} results. These are the best.`;
    return count === 1 ? '1 result' : `${count} results`;
  },
  tooMany: 'There may be more results. Add a word to see the others.',
  similar: 'Nothing has all these words. These names are similar:',
  version: (version: number) => `Version ${version}`,
  startTitle: 'Search names and texts',
  startText:
    'Type words of a name, or words that a reader of the email sees. The last word may be the beginning of a word.',
  nothingTitle: 'Nothing found',
  nothingText: (query: string) =>
    `No template or module has all words of “${query}”, and no name is similar. Try fewer words.`,
  nothingOfKindText: (kind: string, query: string) =>
    `No ${kind} has all words of “${query}”, and no name is similar. Try fewer words, or search templates and modules.`,
};
