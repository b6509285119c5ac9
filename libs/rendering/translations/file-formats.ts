import type { ErrorDetail } from '#errors';

/** The formats of the files for translators. */
export const fileFormats = ['xliff', 'csv'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** A text of a document, and its translation into one language. */
export interface TextInLanguage {
  /**
   * The `id` of the node and the place of the text in the node, such as `greeting/content`. A node without an `id` of
   * its own has its JSON Pointer instead.
   */
  id: string;
  /** The text in the language of the document. */
  source: string;
  /** The translation; null if there is none. */
  text: string | null;
  /** Whether the text changed after it was translated. */
  isOutdated: boolean;
}

/** The texts of one language of a document. */
export interface TranslationFile {
  texts: readonly TextInLanguage[];
  language: string;
  /** The language of the document; null if the document does not say it. */
  sourceLanguage: string | null;
}

/** The translations in a file, or the reasons why the file cannot be read. */
export type ReadFile =
  { texts: { id: string; source: string; text: string | null }[] } | { problems: ErrorDetail[] };
