import { runInSlices } from '#database';

// As many as escapes and other spellings of numbers make of them, and more than indentation does. What
// is small is no matter.
const MAX_LENGTH_RATIO = 8;
const SMALL_DOCUMENT_BYTES = 1024;

/**
 * A JSON document that is stored and given back letter for letter. It travels as text, because
 * parsing and printing it again would move integer-like keys, respell numbers and cost the time.
 */
export class JsonText {
  /** @param source the text, or the bytes of it in UTF-8 that somebody sent, which go on as they are. */
  constructor(readonly source: string | Buffer) {}

  get text(): string {
    return this.source.toString();
  }

  /** One JSON array of documents, each as it is; `null` where there is none. */
  static arrayOf(documents: readonly (JsonText | undefined)[]): Buffer {
    const parts = documents.flatMap((document, index) => [
      index === 0 ? '[' : ',',
      document?.source ?? 'null',
    ]);
    const closing = documents.length === 0 ? '[]' : ']';
    return Buffer.concat(
      [...parts, closing].map((part) => (typeof part === 'string' ? Buffer.from(part) : part)),
    );
  }

  get byteLength(): number {
    return Buffer.byteLength(this.source);
  }

  /** How many bytes a document may have that says the same. */
  get maxBytesOfEqual(): number {
    return Math.max(SMALL_DOCUMENT_BYTES, MAX_LENGTH_RATIO * this.byteLength);
  }

  /**
   * Whether both say the same; white space, escapes and the spelling of short numbers may differ. A
   * document that is very much longer, which takes a lot of white space, says something else.
   */
  equals(other: JsonText): boolean | Promise<boolean> {
    const [text, otherText] = [this.text, other.text];
    if (text === otherText) return true;
    if (other.byteLength > this.maxBytesOfEqual) return false;
    return runInSlices(haveSameTokens(text, otherText));
  }
}

// Takes 0.1 ms or less.
const TOKENS_BETWEEN_CHECKPOINTS = 200;

function* haveSameTokens(text: string, otherText: string): Generator<void, boolean> {
  const [nextToken, nextOtherToken] = [createTokenizer(text), createTokenizer(otherText)];
  // Most differ soon, and need not be read to their ends.
  for (let count = 1; ; count++) {
    const [token, otherToken] = [nextToken(), nextOtherToken()];
    if (token !== otherToken && normalize(token) !== normalize(otherToken)) return false;
    if (token === '') return true;
    if (count % TOKENS_BETWEEN_CHECKPOINTS === 0) yield;
  }
}

// A string, a number, a character of anything else, or the end, after white space.
const TOKEN = /\s*("[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|\S|$)/y;
// A double holds any number of up to 15 digits, so that only equal ones become the same text.
const SHORT_NUMBER = /^[-\d.]{1,15}$/;

/** Gives one token after another and '' at the end. */
function createTokenizer(text: string): () => string {
  let offset = 0;
  return () => {
    TOKEN.lastIndex = offset;
    // Unlike exec it makes no array, which would take most of the time.
    TOKEN.test(text);
    const token = text.slice(offset, TOKEN.lastIndex).trimStart();
    offset = TOKEN.lastIndex;
    return token;
  };
}

/** The same text for the same token, but not by way of JavaScript's numbers, which lose too much. */
function normalize(token: string): string {
  if (token.startsWith('"')) {
    return token.includes('\\') ? JSON.stringify(JSON.parse(token)) : token;
  }
  return SHORT_NUMBER.test(token) ? String(Number(token)) : token;
}
