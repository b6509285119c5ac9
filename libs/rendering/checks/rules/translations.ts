import { defineRules } from '../rule.js';

/** The rules about the texts of a document in other languages. */
export const translationRules = defineRules([
  {
    name: 'translation-missing',
    severity: 'warning',
    help: 'Translate these texts. Until then, readers of the language see them in a more general language, or in the language of the document.',
    *find({ document, translations }) {
      for (const { language, texts, translated, missingPaths } of translations) {
        const count = texts - translated;
        if (count === 0) continue;
        const verb = count === 1 ? 'has' : 'have';
        const message = `${count} of ${texts} texts ${verb} no translation into ${language}: ${listOf(missingPaths, count)}.`;
        yield { place: document, message };
      }
    },
  },
  {
    name: 'translation-outdated',
    severity: 'warning',
    help: 'Compare these translations with the text, and store them again with the new `source`.',
    *find({ document, translations }) {
      for (const { language, outdated, outdatedPaths } of translations) {
        if (outdated === 0) continue;
        const texts = outdated === 1 ? '1 text' : `${outdated} texts`;
        const message = `${texts} changed after the translation into ${language}: ${listOf(outdatedPaths, outdated)}.`;
        yield { place: document, message };
      }
    },
  },
]);

function listOf(paths: readonly string[], count: number): string {
  const rest = count - paths.length;
  return `${paths.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
