import { keysIn, wordsIn } from './words.js';

// Further words of a query are ignored. They could only narrow the results.
const MAX_QUERY_WORDS = 10;

/** The distinct words of a query. The last one also matches words that begin with it. */
export const parseQuery = (query: string): string[] => keysIn(query).slice(0, MAX_QUERY_WORDS);

export interface HighlightPart {
  text: string;
  /** Whether the part is a word that matches the query. */
  isMatch: boolean;
}

const CONTEXT_LENGTH = 60;
const MAX_FRAGMENTS = 2;

/** Splits the whole text into parts that match and parts that do not. */
export function highlight(text: string, keys: readonly string[]): HighlightPart[] {
  return partsBetween(text, 0, text.length, matchesIn(text, keys));
}

/** The first matches in a text, each with the surrounding text. */
export function highlightFragments(text: string, keys: readonly string[]): HighlightPart[][] {
  const fragments: HighlightPart[][] = [];
  const matches = matchesIn(text, keys);
  let end = 0;
  for (const match of matches) {
    if (match.start < end) continue;
    if (fragments.length === MAX_FRAGMENTS) break;
    const start = startOfWord(text, Math.max(end, match.start - CONTEXT_LENGTH));
    end = endOfWord(text, match.end + CONTEXT_LENGTH);
    fragments.push(partsBetween(text, start, end, matches));
  }
  return fragments;
}

type Range = [start: number, end: number];

function matchesIn(text: string, keys: readonly string[]): { start: number; end: number }[] {
  const last = keys.at(-1) ?? '';
  return [...wordsIn(text)].filter((word) =>
    word.keys.some((key) => keys.includes(key) || key.startsWith(last)),
  );
}

function partsBetween(
  text: string,
  start: number,
  end: number,
  matches: readonly { start: number; end: number }[],
): HighlightPart[] {
  const parts: HighlightPart[] = [];
  let offset = start;
  const add = ([from, to]: Range, isMatch: boolean) => {
    if (to > from) parts.push({ text: text.slice(from, to), isMatch });
  };
  for (const match of matches) {
    if (match.start < start || match.end > end) continue;
    add([offset, match.start], false);
    add([match.start, match.end], true);
    offset = match.end;
  }
  add([offset, end], false);
  return parts;
}

const startOfWord = (text: string, offset: number): number => {
  const blank = text.lastIndexOf(' ', offset);
  return blank < 0 || offset - blank > CONTEXT_LENGTH ? trimSurrogate(text, offset) : blank + 1;
};

const endOfWord = (text: string, offset: number): number => {
  if (offset >= text.length) return text.length;
  const blank = text.indexOf(' ', offset);
  return blank < 0 || blank - offset > CONTEXT_LENGTH ? trimSurrogate(text, offset) : blank;
};

/** Returns the offset, moved forward by one if it is inside a surrogate pair. */
const trimSurrogate = (text: string, offset: number): number =>
  /[\udc00-\udfff]/.test(text[offset] ?? '') && offset > 0 ? offset + 1 : offset;
