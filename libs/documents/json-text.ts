import { runInSlices } from '#database';

// At most this factor between two spellings of the same document: escapes and spellings of numbers add more
// than indentation does. Small documents are exempt.
const MAX_LENGTH_RATIO = 8;
const SMALL_DOCUMENT_BYTES = 1024;

/**
 * A JSON document that is stored and returned byte for byte. It travels as text, because parsing and
 * printing it again would move integer-like keys, respell numbers, and cost time.
 */
export class JsonText {
  /** @param source the text, or the UTF-8 bytes that the client sent, which are passed on unchanged. */
  constructor(readonly source: string | Buffer) {}

  get text(): string {
    return this.source.toString();
  }

  /** One JSON array of documents, each unchanged; `null` where there is none. */
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

  /** How many bytes an equal document may have. */
  get maxBytesOfEqual(): number {
    return Math.max(SMALL_DOCUMENT_BYTES, MAX_LENGTH_RATIO * this.byteLength);
  }

  /**
   * Whether both texts have the same meaning; white space, escapes, and the spelling of short numbers may
   * differ. A document that is very much longer, which only takes white space, counts as different.
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
  // Most documents differ early and need not be read to the end.
  for (let count = 1; ; count++) {
    const [token, otherToken] = [nextToken(), nextOtherToken()];
    if (token !== otherToken && normalize(token) !== normalize(otherToken)) return false;
    if (token === '') return true;
    if (count % TOKENS_BETWEEN_CHECKPOINTS === 0) yield;
  }
}

// A string, a number, or any other character, or the end, after white space.
const TOKEN = /\s*("[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|\S|$)/y;
// A double represents any number of up to 15 digits exactly, so only equal numbers become the same text.
const SHORT_NUMBER = /^[-\d.]{1,15}$/;

/** Returns one token after another, and '' at the end. */
function createTokenizer(text: string): () => string {
  let offset = 0;
  return () => {
    TOKEN.lastIndex = offset;
    // Unlike exec, this makes no array, which would take most of the time.
    TOKEN.test(text);
    const token = text.slice(offset, TOKEN.lastIndex).trimStart();
    offset = TOKEN.lastIndex;
    return token;
  };
}

/** The same text for equal tokens, without JavaScript's numbers, which lose digits. */
function normalize(token: string): string {
  if (token.startsWith('"')) {
    return token.includes('\\') ? JSON.stringify(JSON.parse(token)) : token;
  }
  return SHORT_NUMBER.test(token) ? String(Number(token)) : token;
}
