// Costs in microseconds, measured on the benchmark machine with documents that each contain one kind of part. With
// other properties, the same parts take up to five times as long.
const OBJECT = 30;
const MEMBER = 6;
const ELEMENT = 1;
const FORMATTED_TEXT = 30;
const TAG = 3;
const CHARACTER = 0.1;

// The character codes are constants, because V8 compares constants faster than the results of function calls.
const QUOTE = 0x22;
const AMPERSAND = 0x26;
const COMMA = 0x2c;
const COLON = 0x3a;
const LESS_THAN = 0x3c;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;

// Estimating the cost of this many characters takes about 0.1 ms, so the estimate yields as often as `runInSlices`
// requires.
const CHARACTERS_OF_STEP = 32 * 1024;

/**
 * Estimates how many milliseconds a thread needs to render or check a document. Parsing the JSON would take longer than
 * this estimate, so the estimate is based on single characters, such as braces and commas. The estimate counts objects,
 * which become MJML elements, members, which become attributes, and formatted texts, which are sanitised.
 *
 * @param content the document as JSON.
 */
export function* costOf(content: string): Generator<void, number> {
  const estimate = { microseconds: content.length * CHARACTER, isFormatted: false };
  for (let from = 0; from < content.length; from += CHARACTERS_OF_STEP) {
    addCost(estimate, content, from, Math.min(from + CHARACTERS_OF_STEP, content.length));
    yield;
  }
  return estimate.microseconds / 1_000;
}

interface Estimate {
  microseconds: number;
  /** Whether the current string of the JSON contains a tag or an entity. */
  isFormatted: boolean;
}

/** Contains the loop over the characters, because V8 runs the loop several times slower in a generator. */
function addCost(estimate: Estimate, content: string, from: number, to: number): void {
  let { microseconds, isFormatted } = estimate;
  for (let at = from; at < to; at++) {
    switch (content.charCodeAt(at)) {
      case BRACE:
        // Two braces begin a merge tag: in JSON, an object cannot begin with another object.
        if (content.charCodeAt(at + 1) !== BRACE) microseconds += OBJECT;
        break;
      case COLON:
        if (content.charCodeAt(at - 1) === QUOTE) microseconds += MEMBER;
        break;
      case COMMA:
        microseconds += ELEMENT;
        break;
      case QUOTE:
        if (isFormatted && content.charCodeAt(at - 1) !== BACKSLASH) {
          microseconds += FORMATTED_TEXT;
          isFormatted = false;
        }
        break;
      // A tag may begin with an escape sequence: `\u003c`.
      case LESS_THAN:
      case BACKSLASH:
        microseconds += TAG;
        isFormatted = true;
        break;
      case AMPERSAND:
        isFormatted = true;
        break;
    }
  }
  estimate.microseconds = microseconds;
  estimate.isFormatted = isFormatted;
}
