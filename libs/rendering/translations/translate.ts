import { textIn, type DocumentNode } from '../document/index.js';
import {
  canonicalLanguage,
  fallbacksOf,
  TranslationReader,
  type Translation,
} from './languages.js';
import { nodesWithTexts } from './texts.js';

/**
 * Puts the texts of a language into a document. Each text falls back to a more general language, and then to the
 * language of the document.
 *
 * @param document is changed.
 * @returns the most specific language that the email has texts in; undefined if the document does not say its language,
 * and has no texts in this one.
 */
export function translate(document: DocumentNode, language: string): string | undefined {
  const own = canonicalLanguage(textIn(document, 'language') ?? '');
  const chain = fallbacksOf(canonicalLanguage(language) ?? language);
  const ownIndex = own === undefined ? -1 : chain.indexOf(own);
  const foreign = ownIndex < 0 ? chain : chain.slice(0, ownIndex);
  const used = foreign.length === 0 ? new Set<string>() : replaceTexts(document, foreign);
  const best = foreign.find((each) => used.has(each)) ?? (ownIndex < 0 ? undefined : own);
  if (best === undefined) return own;
  // Dates and numbers have the form of the language that was asked for, such as `en-GB` for texts in `en`.
  document['language'] = chain[0];
  // The direction of the document is that of its own language.
  if (used.size > 0) delete document['direction'];
  return best;
}

/** @returns the languages of the texts that are now in the document. */
function replaceTexts(document: DocumentNode, languages: readonly string[]): Set<string> {
  const reader = new TranslationReader();
  const used = new Set<string>();
  for (const { node, texts } of nodesWithTexts(document)) {
    if (node['translations'] === undefined) continue;
    const translations = reader.read(node);
    for (const { pointer, replace } of texts) {
      const found = findTranslation(translations, languages, pointer);
      if (found === undefined) continue;
      replace(found.text);
      used.add(found.language);
    }
  }
  return used;
}

/** Finds the translation of a text into the first of several languages that has one. */
export function findTranslation(
  translations: ReadonlyMap<string, ReadonlyMap<string, Translation>>,
  languages: readonly string[],
  pointer: string,
): (Translation & { language: string }) | undefined {
  for (const language of languages) {
    const found = translations.get(language)?.get(pointer);
    if (found !== undefined) return { ...found, language };
  }
  return undefined;
}
