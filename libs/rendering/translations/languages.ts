import { isObject, MAX_LANGUAGE_LENGTH, type DocumentNode } from '../document/index.js';

/** The canonical form of a language tag (BCP 47), such as `pt-BR`; undefined if the text is no language tag. */
export function canonicalLanguage(text: string): string | undefined {
  if (text.length > MAX_LANGUAGE_LENGTH) return undefined;
  try {
    return Intl.getCanonicalLocales(text.trim().replaceAll('_', '-'))[0];
  } catch {
    // `Intl` rejects a text that is no language tag.
    return undefined;
  }
}

/** The language and the languages that stand in for it, such as `zh-Hant-TW`, `zh-Hant`, `zh` (RFC 4647, section 3.4). */
export function fallbacksOf(language: string): string[] {
  const parts = language.split('-');
  const found: string[] = [];
  while (parts.length > 0) {
    // A single letter announces an extension, and is no part of a language without it.
    if (parts.at(-1)?.length !== 1) found.push(parts.join('-'));
    parts.pop();
  }
  return found;
}

/** A text in another language. */
export interface Translation {
  text: string;
  /** The text that was translated. Without it, a translation is never outdated. */
  source?: string | undefined;
}

/** The translations of a node, by canonical language and then by the pointer of the text in the node. */
export type NodeTranslations = Map<string, Map<string, Translation>>;

/** Reads the `translations` member of nodes, and ignores what it cannot read. */
export class TranslationReader {
  // `Intl` takes about a microsecond for each tag, and a document has the same few tags at each node.
  private readonly tags = new Map<string, string | undefined>();

  read({ translations }: DocumentNode): NodeTranslations {
    const found: NodeTranslations = new Map();
    if (!isObject(translations)) return found;
    for (const [tag, texts] of Object.entries(translations)) {
      const language = this.canonical(tag);
      if (language === undefined || !isObject(texts)) continue;
      const ofLanguage = found.get(language) ?? new Map<string, Translation>();
      for (const [pointer, translation] of Object.entries(texts)) {
        if (!isObject(translation) || typeof translation['text'] !== 'string') continue;
        const { text, source } = translation;
        ofLanguage.set(pointer, { text, source: typeof source === 'string' ? source : undefined });
      }
      found.set(language, ofLanguage);
    }
    return found;
  }

  private canonical(tag: string): string | undefined {
    if (!this.tags.has(tag)) this.tags.set(tag, canonicalLanguage(tag));
    return this.tags.get(tag);
  }
}
