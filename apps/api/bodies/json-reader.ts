import { DomainError } from '#errors';

const TAB = 0x09;
const NEW_LINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LETTER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const LITERALS = ['true', 'false', 'null'].map((literal) => Buffer.from(literal));

const tableOf = (bytes: Iterable<number>) => {
  const table = new Uint8Array(256);
  for (const byte of bytes) table[byte] = 1;
  return table;
};
const ESCAPED = tableOf(Buffer.from('"\\/bfnrt'));
// Characters of a string that stand for themselves. Whether the bytes are UTF-8 is known before.
const PLAIN = tableOf(
  Array.from({ length: 256 }, (_, byte) => byte).filter(
    (byte) => byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH,
  ),
);

const NO_DIGIT = 16;
const HEXADECIMAL = new Uint8Array(256).fill(NO_DIGIT);
for (const digit of '0123456789abcdefABCDEF')
  HEXADECIMAL[digit.charCodeAt(0)] = parseInt(digit, 16);

// Takes 0.1 ms at the usual speed, and some 0.5 ms at the worst.
const CHECKPOINT_BYTES = 16 * 1024;
// `constructor` in quotes, with every letter escaped.
const LONGEST_NAME_BYTES = 68;

/** What is open around a place in the text. */
enum Open {
  Array = 1,
  Object,
  /** The value of a field `constructor`. */
  Constructor,
}

/**
 * Goes through a JSON text and checks it, without making anything of it: `JSON.parse` of 1 MiB takes up to
 * five times as long, and up to twenty times the memory of the text. Its caller enters the objects and arrays
 * of which it wants to know more, and skips all other values.
 */
export class JsonReader {
  /** Where the next thing to read begins. */
  at: number;
  private depth = 0;
  private readonly open: Open[] = [];
  /** Nothing of the innermost object or array has been read. */
  private isFresh = false;
  private checkpoint = CHECKPOINT_BYTES;
  /** The depth at which the value began that is being skipped. */
  private base = 0;
  private nameIsConstructor = false;
  private lastEscape = -1;

  /** @param maxDepth how many levels of objects and arrays there may be, one in another. */
  constructor(
    private readonly json: Buffer,
    private readonly maxDepth: number,
  ) {
    const hasByteOrderMark = json[0] === 0xef && json[1] === 0xbb && json[2] === 0xbf;
    this.at = this.behindBlanks(hasByteOrderMark ? 3 : 0);
  }

  /** Whether an object begins here; then `nextName` goes through it. */
  enterObject(): boolean {
    return this.enterAt(OPEN_BRACE, Open.Object);
  }

  /** Whether an array begins here; then `hasElement` goes through it. */
  enterArray(): boolean {
    return this.enterAt(OPEN_BRACKET, Open.Array);
  }

  /**
   * The name of the next member, whose value is then to be entered or skipped; undefined at the end of the
   * object. It is empty if it is longer than any that a caller knows.
   */
  nextName(): string | undefined {
    if (!this.hasNext(CLOSE_BRACE)) return undefined;
    const start = this.at;
    const end = this.behindName(start);
    const name = this.nameIn(start, end);
    this.at = this.behindColon(end);
    return name;
  }

  /** Whether there is another element, which is then to be entered or skipped. */
  hasElement(): boolean {
    // An element is no value of a member that was read in the one before.
    this.nameIsConstructor = false;
    return this.hasNext(CLOSE_BRACKET);
  }

  /**
   * Checks the value that begins here. Work that goes through all of a text stops in here about every 16 KiB
   * to let others go on; but a single string or number is read in one go.
   */
  *skip(): Generator<void> {
    if (!this.skipAtOnce()) yield* this.skipTheRest();
  }

  /** Whether that was done before the next checkpoint; if not, `skipTheRest` does it. For those in a hurry. */
  skipAtOnce(): boolean {
    this.base = this.depth;
    return this.skipUpToCheckpoint();
  }

  *skipTheRest(): Generator<void> {
    do {
      this.pass();
      yield;
    } while (!this.skipUpToCheckpoint());
  }

  get isAtCheckpoint(): boolean {
    return this.at > this.checkpoint;
  }

  /** Goes on to the next checkpoint. */
  pass(): void {
    this.checkpoint = this.at + CHECKPOINT_BYTES;
  }

  get isAtObject(): boolean {
    return this.json[this.at] === OPEN_BRACE;
  }

  /** @throws DomainError `invalid` if there is more. */
  end(): void {
    this.at = this.behindBlanks(this.at);
    if (this.at < this.json.length) this.refuse();
  }

  private enter(what: Open): void {
    if (++this.depth > this.maxDepth) {
      throw invalid(`The body is nested more than ${this.maxDepth} levels deep.`);
    }
    this.open[this.depth] = what;
    this.nameIsConstructor = false;
  }

  private enterAt(first: number, what: Open): boolean {
    if (this.json[this.at] !== first) return false;
    this.enter(what);
    this.at++;
    this.isFresh = true;
    return true;
  }

  /** Whether another member or element begins here. If not, it is at the end of what it was in. */
  private hasNext(close: number): boolean {
    const { json, isFresh } = this;
    this.at = this.behindBlanks(this.at);
    this.isFresh = false;
    if (json[this.at] === close) {
      this.at++;
      this.depth--;
      return false;
    }
    if (isFresh) return true;
    if (json[this.at] !== COMMA) this.refuse();
    this.at = this.behindBlanks(this.at + 1);
    return true;
  }

  /** Whether it has come to the end of the value. If not, another value begins here. */
  private skipUpToCheckpoint(): boolean {
    const { json, open, base } = this;
    let { at } = this;
    while (at <= this.checkpoint) {
      const first = json[at];
      if (first === OPEN_BRACE) {
        this.enter(this.nameIsConstructor ? Open.Constructor : Open.Object);
        at = this.behindBlanks(at + 1);
        if (json[at] !== CLOSE_BRACE) {
          at = this.behindColon(this.behindName(at));
          continue;
        }
        at++;
        this.depth--;
      } else if (first === OPEN_BRACKET) {
        this.enter(Open.Array);
        at = this.behindBlanks(at + 1);
        if (json[at] !== CLOSE_BRACKET) continue;
        at++;
        this.depth--;
      } else at = first === QUOTE ? this.behindString(at) : this.behindNumberOrLiteral(at);

      for (;;) {
        if (this.depth === base) {
          this.at = at;
          return true;
        }
        at = this.behindBlanks(at);
        const isArray = open[this.depth] === Open.Array;
        if (json[at] === COMMA) {
          at = this.behindBlanks(at + 1);
          if (isArray) this.nameIsConstructor = false;
          else at = this.behindColon(this.behindName(at));
          break;
        }
        if (json[at] !== (isArray ? CLOSE_BRACKET : CLOSE_BRACE)) this.refuse(at);
        at++;
        this.depth--;
      }
    }
    this.at = at;
    return false;
  }

  private behindBlanks(at: number): number {
    const { json } = this;
    let byte = json[at];
    while (byte === SPACE || byte === TAB || byte === NEW_LINE || byte === RETURN)
      byte = json[++at];
    return at;
  }

  private behindColon(at: number): number {
    const colon = this.behindBlanks(at);
    if (this.json[colon] !== COLON) this.refuse(colon);
    return this.behindBlanks(colon + 1);
  }

  private behindString(at: number): number {
    const { json } = this;
    const { length } = json;
    at++;
    for (;;) {
      while (at < length && PLAIN[json[at] as number] === 1) at++;
      if (json[at] === QUOTE) return at + 1;
      if (json[at] !== BACKSLASH) this.refuse(at);
      this.lastEscape = at;
      at = this.behindEscape(at);
    }
  }

  private behindEscape(at: number): number {
    const { json } = this;
    const letter = json[at + 1] ?? 0;
    if (letter !== LETTER_U) return ESCAPED[letter] === 1 ? at + 2 : this.refuse(at);
    const code = this.codeAt(at + 2);
    if (code >= 0xd800 && code <= 0xdbff) {
      const isPair = json[at + 6] === BACKSLASH && json[at + 7] === LETTER_U;
      const second = isPair ? this.codeAt(at + 8) : 0;
      if (second >= 0xdc00 && second <= 0xdfff) return at + 12;
    }
    if (code === 0 || (code >= 0xd800 && code <= 0xdfff)) {
      throw invalid('The body holds a NUL character or half of a surrogate pair; leave it out.');
    }
    return at + 6;
  }

  private codeAt(at: number): number {
    let code = 0;
    for (let digit = at; digit < at + 4; digit++) {
      const value = HEXADECIMAL[this.json[digit] ?? 0] as number;
      if (value === NO_DIGIT) this.refuse(digit);
      code = code * 16 + value;
    }
    return code;
  }

  private behindName(start: number): number {
    if (this.json[start] !== QUOTE) this.refuse(start);
    const first = this.json[start + 1];
    const end = this.behindString(start);
    // Nearly all names can be told from those below by their first letter.
    if (this.lastEscape > start || first === 0x5f || first === 0x63 || first === 0x70) {
      this.refuseForbidden(this.nameIn(start, end));
    } else this.nameIsConstructor = false;
    return end;
  }

  /** They are harmless here, but an attack on programs that merge documents. */
  private refuseForbidden(name: string): void {
    this.nameIsConstructor = name === 'constructor';
    const isInConstructor = this.open[this.depth] === Open.Constructor;
    if (name === '__proto__' || (name === 'prototype' && isInConstructor)) {
      throw invalid(
        'The body has a field `__proto__`, or `prototype` in a `constructor`; leave it out.',
      );
    }
  }

  private nameIn(start: number, end: number): string {
    if (end - start > LONGEST_NAME_BYTES) return '';
    return this.lastEscape > start
      ? (JSON.parse(this.json.toString('utf8', start, end)) as string)
      : this.json.toString('latin1', start + 1, end - 1);
  }

  private behindNumberOrLiteral(start: number): number {
    const { json } = this;
    const first = json[start];
    const literal = LITERALS.find((each) => each[0] === first);
    if (literal !== undefined) {
      const end = start + literal.length;
      return literal.equals(json.subarray(start, end)) ? end : this.refuse(start);
    }
    let at = first === MINUS ? start + 1 : start;
    at = json[at] === ZERO ? at + 1 : this.behindDigits(at);
    if (json[at] === POINT) at = this.behindDigits(at + 1);
    if (json[at] === 0x65 || json[at] === 0x45) {
      const hasSign = json[at + 1] === 0x2b || json[at + 1] === MINUS;
      at = this.behindDigits(at + (hasSign ? 2 : 1));
    }
    return at;
  }

  private behindDigits(start: number): number {
    const { json } = this;
    let at = start;
    for (let byte = json[at]; byte !== undefined && byte >= ZERO && byte <= NINE;)
      byte = json[++at];
    return at > start ? at : this.refuse(at);
  }

  private refuse(at = this.at): never {
    const { json } = this;
    throw invalid(
      at >= json.length
        ? 'The body is not valid JSON: it ends too early.'
        : `The body is not valid JSON: ${JSON.stringify(json.toString('utf8', at, at + 20))} at byte ${at} cannot stand there.`,
    );
  }
}

const invalid = (message: string) => new DomainError('invalid', message);
