/** Texts that several views of templates and modules share. */
export const libraryTexts = {
  kinds: { template: 'template', module: 'module' },
  kindNames: { template: 'Template', module: 'Module' },
  versionOf: (version: number) => `Version ${version}`,
  versionAsLatest: (version: number) => `Version ${version} (latest)`,
  noSuchVersion: 'No such version',
  versions: 'Versions',
  noCategory: 'None',
  tags: {
    title: 'Tags',
    showAll: (name: string) => `Filter by the tag “${name}”`,
  },
  emailFrame: (version: number) => `The email of version ${version}`,
};
