/** The formats of other programs that Galley reads. */
export const importFormats = [
  'mjml',
  'html',
  'easy-email',
  'email-builder',
  'unlayer',
  'beefree',
  'templatical',
  'grapesjs-mjml',
] as const;
export type ImportFormat = (typeof importFormats)[number];
