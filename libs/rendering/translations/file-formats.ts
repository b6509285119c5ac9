/** The formats of the files for translators. */
export const fileFormats = ['xliff', 'csv'] as const;
export type FileFormat = (typeof fileFormats)[number];
