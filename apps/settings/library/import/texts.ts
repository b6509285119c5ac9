import type { ImportFormat, ImportOutcome } from '#client';

export const words = {
  title: 'Import a template',
  text: 'Bring an email from another program. Galley turns the email into a document, and says what is different. Nothing is stored until you save.',
  formatLabel: 'Format',
  formats: {
    mjml: 'MJML',
    html: 'HTML',
    'easy-email': 'easy-email',
    'email-builder': 'email-builder (Waypoint)',
    unlayer: 'Unlayer',
    beefree: 'Beefree',
    templatical: 'Templatical',
    'grapesjs-mjml': 'GrapesJS with MJML',
  } satisfies Record<ImportFormat, string>,
  contentLabel: 'Content',
  contentHint: 'Paste the content, drop a file here, or choose a file.',
  chooseFile: 'Choose a file',
  contentMissing: 'Paste or choose the content first.',
  fileTooLarge: 'The file is larger than 1 MB, which is the limit of Galley.',
  fileFailed: 'The browser cannot read the file.',
  convert: 'Import',
  result: 'Result',
  frameTitle: 'The imported email',
  nameLabel: 'Name of the template',
  nameMissing: 'Enter a name.',
  save: 'Save as a template',
  saved: (name: string) => `The template “${name}” has been created.`,
  report: 'Report',
  nothingDifferent: 'Galley understood the whole content.',
  understood: (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([type, count]) => `${count} × ${type}`)
      .join(', '),
  outcomes: {
    'kept-as-html': 'Kept as HTML',
    approximated: 'Approximated',
    lost: 'Lost',
  } satisfies Record<ImportOutcome, string>,
  omitted: (count: number) => `${count} further entries are left out.`,
  warnings: (count: number) =>
    count === 1 ? 'Rendering has 1 warning.' : `Rendering has ${count} warnings.`,
};
