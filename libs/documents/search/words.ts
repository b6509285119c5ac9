// Longer words are cut, in documents and in queries.
const MAX_WORD_LENGTH = 40;
// A document of random words must not fill the index.
const MAX_WORDS = 2_000;

/**
 * Scripts without spaces between words: each two characters in a row are a word. `Intl.Segmenter` finds real words, but
 * by the dictionaries of the ICU in Node.js: after an update of Node.js, a query could be divided into other words than
 * the stored documents.
 */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('');
const WORD = new RegExp(String.raw`[${UNSPACED}]+|[[\p{L}\p{N}\p{M}]--[${UNSPACED}]]+`, 'gv');
const ASCII = /^[\x20-\x7e]+$/;
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

export interface Word {
  start: number;
  end: number;
  /** The forms by which a search finds the word. */
  keys: string[];
}

/** The words of a text, in their order. */
export function* wordsIn(text: string): Generator<Word> {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    yield { start: index, end: index + word.length, keys: keysOf(word) };
  }
}

/** Without case, accents and compatibility forms: `Füße` and `FUSSE` are equal. */
function keysOf(word: string): string[] {
  // Most words are ASCII. The code below takes ten times as long.
  if (ASCII.test(word)) return [word.slice(0, MAX_WORD_LENGTH).toLowerCase()];
  // The longest compatibility form of a character has 18 characters, so the word is cut before and after.
  const folded = word
    .slice(0, MAX_WORD_LENGTH)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .normalize('NFC');
  const characters = Array.from(folded).slice(0, MAX_WORD_LENGTH);
  if (!IS_UNSPACED.test(word) || characters.length < 2) return [characters.join('')];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** The different keys of a text, in the order of their first occurrence. */
export function keysIn(text: string): string[] {
  const keys = new Set<string>();
  for (const word of new Set(text.match(WORD))) {
    for (const key of keysOf(word)) if (key !== '') keys.add(key);
    if (keys.size >= MAX_WORDS) break;
  }
  return [...keys];
}
