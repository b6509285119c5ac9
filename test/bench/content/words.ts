import { randomNumbers } from './random.js';

const VOCABULARY = 4_000;
// A word at rank r is used in proportion to 1 / r ^ EXPONENT (Zipf's law). With this exponent, an email of 28 KB has
// some 300 different words, as a newsletter has.
const EXPONENT = 1.2;

const SYLLABLES = ['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'z'].flatMap(
  (consonant) => ['a', 'e', 'i', 'o', 'u'].map((vowel) => consonant + vowel),
);

// Frequent words are short: the 70 most frequent words have one syllable.
const RANKS = [70, 400, VOCABULARY];
// Has no common factor with the number of syllables, so different ranks give different words.
const SCATTER = 7919;

function wordAt(rank: number): string {
  const length = 1 + RANKS.findIndex((end) => rank < end);
  const number = rank * SCATTER;
  return Array.from(
    { length },
    (_, at) => SYLLABLES[Math.floor(number / SYLLABLES.length ** at) % SYLLABLES.length],
  ).join('');
}

const words = Array.from({ length: VOCABULARY }, (_, rank) => wordAt(rank));

const cumulative: number[] = [];
let total = 0;
for (let rank = 1; rank <= VOCABULARY; rank++) cumulative.push((total += rank ** -EXPONENT));

/** Makes texts of `count` words, as frequent as in a natural language. Equal seeds give equal texts. */
export function textsFrom(seed: number): (count: number) => string {
  const random = randomNumbers(seed);
  const next = () => words[rankOf(random() * total)] ?? '';
  return (count) => Array.from({ length: count }, next).join(' ');
}

/** The first rank whose cumulative frequency is above `value`. */
function rankOf(value: number): number {
  let [low, high] = [0, VOCABULARY - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cumulative[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
