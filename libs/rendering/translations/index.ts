/*
 * The texts of a document in other languages. `texts.ts` finds the texts that readers see, `translate.ts` puts the
 * texts of a language into a document, `progress.ts` counts them, and `exchange.ts` reads and writes them in a thread.
 * `files.ts` has the files of translators.
 */
export type { ReadTask, TextInLanguage, TranslationsRead, WriteTask, Written } from './exchange.js';
export { fileFormats, type FileFormat } from './file-formats.js';
export { canonicalLanguage } from './languages.js';
export { progressOf, type Progress, type ProgressWithPaths } from './progress.js';
export { translate } from './translate.js';
