import { textIn, type DocumentNode } from '../document/index.js';
import { canonicalLanguage, fallbacksOf, TranslationReader } from './languages.js';
import { nodesWithTexts } from './texts.js';
import { findTranslation } from './translate.js';

/** How much of a document is translated into a language. */
export interface Progress {
  /** A language tag (BCP 47). */
  language: string;
  /** The number of texts with words. */
  texts: number;
  /** The number of these texts that have a translation into the language, or into a more general one. */
  translated: number;
  /** The number of translations of a text that changed since. */
  outdated: number;
}

/** The progress, with the JSON Pointers of a few texts that need work. */
export interface ProgressWithPaths extends Progress {
  missingPaths: string[];
  outdatedPaths: string[];
}

// A document of 1 MB has room for tens of thousands of languages with one text each.
const MAX_LANGUAGES = 100;
const MAX_PATHS = 3;

/** The progress of each language of a document, at most 100, by language. */
export function progressOf(document: DocumentNode): ProgressWithPaths[] {
  const reader = new TranslationReader();
  const nodes = Array.from(nodesWithTexts(document), (found) => ({
    ...found,
    translations: reader.read(found.node),
  }));
  const languages = new Set(nodes.flatMap(({ translations }) => [...translations.keys()]));
  const own = canonicalLanguage(textIn(document, 'language') ?? '');
  if (own !== undefined) languages.delete(own);
  return Array.from(languages)
    .sort()
    .slice(0, MAX_LANGUAGES)
    .map((language) => {
      const progress = {
        language,
        texts: 0,
        translated: 0,
        outdated: 0,
        missingPaths: [] as string[],
        outdatedPaths: [] as string[],
      };
      const chain = fallbacksOf(language);
      for (const { texts, translations } of nodes) {
        for (const { pointer, path, text, hasWords } of texts) {
          if (!hasWords) continue;
          const found = findTranslation(translations, chain, pointer);
          // In a document in English, a text without British spelling needs no translation into British English.
          const isKnown = found !== undefined || (own !== undefined && chain.includes(own));
          progress.texts++;
          if (isKnown) progress.translated++;
          else if (progress.missingPaths.length < MAX_PATHS) progress.missingPaths.push(path);
          if (found?.source === undefined || found.source === text) continue;
          progress.outdated++;
          if (progress.outdatedPaths.length < MAX_PATHS) progress.outdatedPaths.push(path);
        }
      }
      return progress;
    });
}
