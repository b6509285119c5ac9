export const words = {
  size: (size: string) => `${size} of JSON`,
  copyJson: 'Copy JSON',
  expandAll: 'Expand all',
  collapseAll: 'Collapse',
  treeLabel: 'The document as JSON',
  elements: (count: number) => (count === 1 ? '1 element' : `${count} elements`),
  fields: (count: number) => (count === 1 ? '1 field' : `${count} fields`),
  moreCharacters: (count: number) => `${count} more characters`,
  toggle: (key: string) => `Show or hide ${key}`,
  root: 'the document',
  referenceTo: (name = 'module', version?: number) =>
    version === undefined ? `Open ${name}` : `Open ${name}, version ${version}`,
};
