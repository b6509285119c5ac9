// Longer words are truncated, both in documents and in queries.
const MAX_WORD_LENGTH = 40;
// Keeps a document of random words from filling the index.
const MAX_WORDS = 2_000;

/**
 * Scripts without spaces between words. In these scripts, every two consecutive characters count as a word.
 * `Intl.Segmenter` would find real words in about the same time (1.0 to 1.2 times), but it depends on the ICU
 * dictionaries in Node.js. After a Node.js update, a query could be split differently from the stored documents.
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
  /** The normalised forms by which a search finds the word. */
  keys: string[];
}

export function* wordsIn(text: string): Generator<Word> {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    yield { start: index, end: index + word.length, keys: keysOf(word) };
  }
}

/** Removes differences in case, accents and compatibility forms: `Füße` and `FUSSE` have the same key. */
function keysOf(word: string): string[] {
  // Most words are ASCII. The code below takes ten times as long.
  if (ASCII.test(word)) return [word.slice(0, MAX_WORD_LENGTH).toLowerCase()];
  // One character may expand to 18 characters, so the word is truncated both before and after it is folded.
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

/** The distinct keys of a text, in order of first occurrence. */
export function keysIn(text: string): string[] {
  const keys = new Set<string>();
  for (const word of new Set(text.match(WORD))) {
    for (const key of keysOf(word)) if (key !== '') keys.add(key);
    if (keys.size >= MAX_WORDS) break;
  }
  return [...keys];
}
