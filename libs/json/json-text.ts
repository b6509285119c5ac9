import { runInSlices } from '#time-slices';

// `equals` counts `other` as different if it is more than this many times as long as this document. Escapes, number
// formats and indentation rarely make a document that much longer. Small documents are always compared.
const MAX_LENGTH_RATIO = 8;
const SMALL_DOCUMENT_BYTES = 1024;

/**
 * A JSON document that is stored and returned byte for byte. It is passed on as text, because parsing and serialising
 * it would reorder integer-like keys, change number formats, and cost time.
 */
export class JsonText {
  /** @param source the text, or the UTF-8 bytes that the client sent, which are passed on unchanged. */
  constructor(readonly source: string | Buffer) {}

  get text(): string {
    return this.source.toString();
  }

  /** Joins the documents, unchanged, into one JSON array. An undefined document becomes `null`. */
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

  /** The maximum size of a document that `equals` compares with this one, in bytes. */
  get maxBytesOfEqual(): number {
    return Math.max(SMALL_DOCUMENT_BYTES, MAX_LENGTH_RATIO * this.byteLength);
  }

  /**
   * Whether both texts have the same meaning. White space, escapes and the format of short numbers may differ. If
   * `other` is much longer, it counts as different without a comparison.
   */
  equals(other: JsonText): boolean | Promise<boolean> {
    const [text, otherText] = [this.text, other.text];
    if (text === otherText) return true;
    if (other.byteLength > this.maxBytesOfEqual) return false;
    return runInSlices(haveSameTokens(text, otherText));
  }
}

// Reading this many tokens takes 0.1 ms or less.
const TOKENS_BETWEEN_CHECKPOINTS = 200;

function* haveSameTokens(text: string, otherText: string): Generator<void, boolean> {
  const [nextToken, nextOtherToken] = [createTokenizer(text), createTokenizer(otherText)];
  // Comparing token by token finds most differences early, without reading both texts to the end.
  for (let count = 1; ; count++) {
    const [token, otherToken] = [nextToken(), nextOtherToken()];
    if (token !== otherToken && normalize(token) !== normalize(otherToken)) return false;
    if (token === '') return true;
    if (count % TOKENS_BETWEEN_CHECKPOINTS === 0) yield;
  }
}

// Matches white space and then a string, a number, any other character, or the end of the text.
const TOKEN = /\s*("[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|\S|$)/y;
// Different numbers of up to 15 digits are different doubles, so only equal numbers become the same text.
const SHORT_NUMBER = /^[-\d.]{1,15}$/;

/** Returns a function that returns the next token with each call, and '' at the end. */
function createTokenizer(text: string): () => string {
  let offset = 0;
  return () => {
    TOKEN.lastIndex = offset;
    // `exec` would create an array for each token, which would take most of the time.
    TOKEN.test(text);
    const token = text.slice(offset, TOKEN.lastIndex).trimStart();
    offset = TOKEN.lastIndex;
    return token;
  };
}

/**
 * Returns the same text for equal tokens. Long numbers stay as they are, because a JavaScript number would lose digits.
 */
function normalize(token: string): string {
  if (token.startsWith('"')) {
    return token.includes('\\') ? JSON.stringify(JSON.parse(token)) : token;
  }
  return SHORT_NUMBER.test(token) ? String(Number(token)) : token;
}
