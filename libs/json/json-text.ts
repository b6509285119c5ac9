import { runInSlices } from '#time-slices';

// If the other document is more than this many times as long, `equals` treats it as different. Escapes and
// the spelling of numbers can make a document at most this many times as long, and indentation usually adds
// less. Small documents are always compared.
const MAX_LENGTH_RATIO = 8;
const SMALL_DOCUMENT_BYTES = 1024;

/**
 * A JSON document that is stored and returned byte for byte. It is passed on as text, because parsing and serialising
 * it would reorder integer-like keys, change the spelling of numbers, and cost time.
 */
export class JsonText {
  /** @param source the text, or the UTF-8 bytes that the client sent, which are passed on unchanged. */
  constructor(readonly source: string | Buffer) {}

  get text(): string {
    return this.source.toString();
  }

  /** One JSON array of the documents, each unchanged; `null` for an undefined document. */
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

  /** The largest document that `equals` compares with this one, in bytes. */
  get maxBytesOfEqual(): number {
    return Math.max(SMALL_DOCUMENT_BYTES, MAX_LENGTH_RATIO * this.byteLength);
  }

  /**
   * Whether both texts have the same meaning; white space, escapes, and the spelling of short numbers may differ. If
   * `other` is much longer, it counts as different: only white space could make equal documents differ so much in
   * length.
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
  // Most documents that differ do so early, and are not read to the end.
  for (let count = 1; ; count++) {
    const [token, otherToken] = [nextToken(), nextOtherToken()];
    if (token !== otherToken && normalize(token) !== normalize(otherToken)) return false;
    if (token === '') return true;
    if (count % TOKENS_BETWEEN_CHECKPOINTS === 0) yield;
  }
}

// White space, and then a string, a number, any other character, or the end of the text.
const TOKEN = /\s*("[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|\S|$)/y;
// Different numbers of up to 15 digits are different doubles, so only equal numbers become the same text.
const SHORT_NUMBER = /^[-\d.]{1,15}$/;

/** Returns a function that returns the next token with each call, and '' at the end. */
function createTokenizer(text: string): () => string {
  let offset = 0;
  return () => {
    TOKEN.lastIndex = offset;
    // `exec` would make an array for each token, which would take most of the time.
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
