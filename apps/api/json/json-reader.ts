import {
  QUOTE,
  BACKSLASH,
  COMMA,
  COLON,
  OPEN_BRACKET,
  CLOSE_BRACKET,
  LETTER_U,
  OPEN_BRACE,
  CLOSE_BRACE,
  ESCAPABLE,
  UNESCAPED,
  afterWhitespace,
  afterNumberOrLiteral,
  codeUnitAt,
  refuse,
  invalidBody,
} from './json-tokens.js';

// Reading this much usually takes 0.1 ms, and about 0.5 ms at worst.
const CHECKPOINT_BYTES = 16 * 1024;
// The length of `"constructor"` if every letter is escaped. A longer name cannot be a forbidden name.
const MAX_NAME_BYTES = 68;

/** A container that the reader has entered and not yet left. */
enum Container {
  Array = 1,
  Object,
  /** An object that is the value of a field named `constructor`. */
  Constructor,
}

/**
 * Checks a JSON text without building values. `JSON.parse` takes up to five times as long for 1 MiB, and its result can
 * occupy twenty times as much memory as the text. The caller enters the objects and arrays that it is interested
 * in, and skips all other values.
 */
export class JsonReader {
  /** The offset of the next byte to read. */
  offset: number;
  private depth = 0;
  private readonly containers: Container[] = [];
  /** True until the first item of the innermost object or array is read. */
  private isAtStart = false;
  private checkpoint = CHECKPOINT_BYTES;
  /** The depth at which the skipped value begins. */
  private baseDepth = 0;
  private isConstructorName = false;
  private lastEscapeOffset = -1;

  /** @param maxDepth how deep objects and arrays may be nested. */
  constructor(
    private readonly json: Buffer,
    private readonly maxDepth: number,
  ) {
    const hasByteOrderMark = json[0] === 0xef && json[1] === 0xbb && json[2] === 0xbf;
    this.offset = afterWhitespace(this.json, hasByteOrderMark ? 3 : 0);
  }

  /**
   * Enters the object at the current offset; `nextName` then reads its members. Returns false if there is no object.
   */
  enterObject(): boolean {
    return this.tryEnter(OPEN_BRACE, Container.Object);
  }

  /**
   * Enters the array at the current offset; `nextElement` then reads its elements. Returns false if there is no array.
   */
  enterArray(): boolean {
    return this.tryEnter(OPEN_BRACKET, Container.Array);
  }

  /**
   * Returns the name of the next member, or undefined at the end of the object. The caller must then enter or skip the
   * value of the member. A name that is longer than every name that callers look for is returned as an empty string.
   */
  nextName(): string | undefined {
    if (!this.nextItem(CLOSE_BRACE)) return undefined;
    const start = this.offset;
    const end = this.afterName(start);
    const name = this.parseName(start, end);
    this.offset = this.afterColon(end);
    return name;
  }

  /** Moves to the next element, which the caller must enter or skip. Returns false at the end of the array. */
  nextElement(): boolean {
    // An element of an array is never the value of a field named `constructor`.
    this.isConstructorName = false;
    return this.nextItem(CLOSE_BRACKET);
  }

  /**
   * Checks and skips the value at the current offset. Yields about every 16 KiB, so that other requests can proceed,
   * but never within a string or number.
   */
  *skip(): Generator<void> {
    if (!this.trySkip()) yield* this.skipRemaining();
  }

  /**
   * Skips the value without yielding. Returns false if the value extends beyond the next checkpoint; the caller must
   * then call `skipRemaining`.
   */
  trySkip(): boolean {
    this.baseDepth = this.depth;
    return this.skipUpToCheckpoint();
  }

  *skipRemaining(): Generator<void> {
    do {
      this.setNextCheckpoint();
      yield;
    } while (!this.skipUpToCheckpoint());
  }

  get hasPassedCheckpoint(): boolean {
    return this.offset > this.checkpoint;
  }

  setNextCheckpoint(): void {
    this.checkpoint = this.offset + CHECKPOINT_BYTES;
  }

  get isAtObject(): boolean {
    return this.json[this.offset] === OPEN_BRACE;
  }

  /** @throws DomainError `invalid` if more text follows. */
  expectEnd(): void {
    this.offset = afterWhitespace(this.json, this.offset);
    if (this.offset < this.json.length) refuse(this.json, this.offset);
  }

  private pushContainer(container: Container): void {
    if (++this.depth > this.maxDepth) {
      throw invalidBody(`The body is nested more than ${this.maxDepth} levels deep.`);
    }
    this.containers[this.depth] = container;
    this.isConstructorName = false;
  }

  private tryEnter(openingByte: number, container: Container): boolean {
    if (this.json[this.offset] !== openingByte) return false;
    this.pushContainer(container);
    this.offset++;
    this.isAtStart = true;
    return true;
  }

  /**
   * Moves to the next member or element. At the end of the object or array, leaves the object or array and returns
   * false.
   */
  private nextItem(closingByte: number): boolean {
    const { json, isAtStart } = this;
    this.offset = afterWhitespace(this.json, this.offset);
    this.isAtStart = false;
    if (json[this.offset] === closingByte) {
      this.offset++;
      this.depth--;
      return false;
    }
    if (isAtStart) return true;
    if (json[this.offset] !== COMMA) refuse(this.json, this.offset);
    this.offset = afterWhitespace(this.json, this.offset + 1);
    return true;
  }

  /**
   * Skips up to the next checkpoint. Returns whether the skipped value has ended; if not, a value inside the
   * skipped value begins at the new offset.
   */
  private skipUpToCheckpoint(): boolean {
    const { json, containers, baseDepth } = this;
    let { offset } = this;
    while (offset <= this.checkpoint) {
      const firstByte = json[offset];
      if (firstByte === OPEN_BRACE) {
        this.pushContainer(this.isConstructorName ? Container.Constructor : Container.Object);
        offset = afterWhitespace(json, offset + 1);
        if (json[offset] !== CLOSE_BRACE) {
          offset = this.afterColon(this.afterName(offset));
          continue;
        }
        offset++;
        this.depth--;
      } else if (firstByte === OPEN_BRACKET) {
        this.pushContainer(Container.Array);
        offset = afterWhitespace(json, offset + 1);
        if (json[offset] !== CLOSE_BRACKET) continue;
        offset++;
        this.depth--;
      } else
        offset =
          firstByte === QUOTE ? this.afterString(offset) : afterNumberOrLiteral(json, offset);

      for (;;) {
        if (this.depth === baseDepth) {
          this.offset = offset;
          return true;
        }
        offset = afterWhitespace(json, offset);
        const isArray = containers[this.depth] === Container.Array;
        if (json[offset] === COMMA) {
          offset = afterWhitespace(json, offset + 1);
          if (isArray) this.isConstructorName = false;
          else offset = this.afterColon(this.afterName(offset));
          break;
        }
        if (json[offset] !== (isArray ? CLOSE_BRACKET : CLOSE_BRACE)) refuse(json, offset);
        offset++;
        this.depth--;
      }
    }
    this.offset = offset;
    return false;
  }

  private afterColon(offset: number): number {
    const colonOffset = afterWhitespace(this.json, offset);
    if (this.json[colonOffset] !== COLON) refuse(this.json, colonOffset);
    return afterWhitespace(this.json, colonOffset + 1);
  }

  private afterString(offset: number): number {
    const { json } = this;
    const { length } = json;
    offset++;
    for (;;) {
      while (offset < length && UNESCAPED[json[offset] as number] === 1) offset++;
      if (json[offset] === QUOTE) return offset + 1;
      if (json[offset] !== BACKSLASH) refuse(json, offset);
      this.lastEscapeOffset = offset;
      offset = this.afterEscape(offset);
    }
  }

  private afterEscape(offset: number): number {
    const { json } = this;
    const letter = json[offset + 1] ?? 0;
    if (letter !== LETTER_U) return ESCAPABLE[letter] === 1 ? offset + 2 : refuse(json, offset);
    const code = codeUnitAt(json, offset + 2);
    if (code >= 0xd800 && code <= 0xdbff) {
      const isPair = json[offset + 6] === BACKSLASH && json[offset + 7] === LETTER_U;
      const second = isPair ? codeUnitAt(json, offset + 8) : 0;
      if (second >= 0xdc00 && second <= 0xdfff) return offset + 12;
    }
    if (code === 0 || (code >= 0xd800 && code <= 0xdfff)) {
      throw invalidBody('The body contains a NUL character or an unpaired surrogate; remove it.');
    }
    return offset + 6;
  }

  private afterName(start: number): number {
    if (this.json[start] !== QUOTE) refuse(this.json, start);
    const firstByte = this.json[start + 1];
    const end = this.afterString(start);
    // Most names need no parsing: only a name that begins with `_`, `c` or `p`, or that contains an escape, can be
    // `__proto__`, `constructor` or `prototype`.
    if (
      this.lastEscapeOffset > start ||
      firstByte === 0x5f ||
      firstByte === 0x63 ||
      firstByte === 0x70
    ) {
      this.refuseForbiddenName(this.parseName(start, end));
    } else this.isConstructorName = false;
    return end;
  }

  /**
   * The forbidden names are harmless in Galley, but cause prototype pollution in programs that merge documents naively.
   */
  private refuseForbiddenName(name: string): void {
    this.isConstructorName = name === 'constructor';
    const isInConstructor = this.containers[this.depth] === Container.Constructor;
    if (name === '__proto__' || (name === 'prototype' && isInConstructor)) {
      throw invalidBody(
        'The body has a `__proto__` field, or a `prototype` field inside a `constructor` field; remove it.',
      );
    }
  }

  private parseName(start: number, end: number): string {
    if (end - start > MAX_NAME_BYTES) return '';
    return this.lastEscapeOffset > start
      ? (JSON.parse(this.json.toString('utf8', start, end)) as string)
      : this.json.toString('latin1', start + 1, end - 1);
  }
}
