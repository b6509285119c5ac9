import { DomainError } from '#errors';

/* The bytes of the JSON tokens (RFC 8259). */
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
const MINUS = 0x2d;
const DECIMAL_POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const LETTER_U = 0x75;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
const LITERALS = ['true', 'false', 'null'].map((literal) => Buffer.from(literal));

const lookupTableOf = (bytes: Iterable<number>) => {
  const table = new Uint8Array(256);
  for (const byte of bytes) table[byte] = 1;
  return table;
};
export const ESCAPABLE = lookupTableOf(Buffer.from('"\\/bfnrt'));
// The bytes that a string may contain without an escape. Callers have checked that the text is UTF-8.
export const UNESCAPED = lookupTableOf(
  Array.from({ length: 256 }, (_, byte) => byte).filter(
    (byte) => byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH,
  ),
);

const NOT_A_DIGIT = 16;
const HEX_VALUES = new Uint8Array(256).fill(NOT_A_DIGIT);
for (const digit of '0123456789abcdefABCDEF') HEX_VALUES[digit.charCodeAt(0)] = parseInt(digit, 16);

/** The offset of the first byte at or after `offset` that is not white space. */
export function afterWhitespace(json: Buffer, offset: number): number {
  let end = offset;
  let byte = json[end];
  while (byte === SPACE || byte === TAB || byte === LINE_FEED || byte === CARRIAGE_RETURN)
    byte = json[++end];
  return end;
}

/** The offset after the number or literal that begins at `start`. */
export function afterNumberOrLiteral(json: Buffer, start: number): number {
  const firstByte = json[start];
  const literal = LITERALS.find((candidate) => candidate[0] === firstByte);
  if (literal !== undefined) {
    const end = start + literal.length;
    return literal.equals(json.subarray(start, end)) ? end : refuse(json, start);
  }
  let offset = firstByte === MINUS ? start + 1 : start;
  offset = json[offset] === ZERO ? offset + 1 : afterDigits(json, offset);
  if (json[offset] === DECIMAL_POINT) offset = afterDigits(json, offset + 1);
  if (json[offset] === 0x65 || json[offset] === 0x45) {
    const hasSign = json[offset + 1] === 0x2b || json[offset + 1] === MINUS;
    offset = afterDigits(json, offset + (hasSign ? 2 : 1));
  }
  return offset;
}

function afterDigits(json: Buffer, start: number): number {
  let end = start;
  for (let byte = json[end]; byte !== undefined && byte >= ZERO && byte <= NINE;)
    byte = json[++end];
  return end > start ? end : refuse(json, end);
}

/** The UTF-16 code unit of the four hexadecimal digits at `offset`. */
export function codeUnitAt(json: Buffer, offset: number): number {
  let code = 0;
  for (let digit = offset; digit < offset + 4; digit++) {
    const value = HEX_VALUES[json[digit] ?? 0] as number;
    if (value === NOT_A_DIGIT) refuse(json, digit);
    code = code * 16 + value;
  }
  return code;
}

/** @throws DomainError `invalid`: the byte at `offset` is not valid there. */
export function refuse(json: Buffer, offset: number): never {
  throw invalidBody(
    offset >= json.length
      ? 'The body is not valid JSON: it ends too early.'
      : `The body is not valid JSON: unexpected ${JSON.stringify(json.toString('utf8', offset, offset + 20))} at byte ${offset}.`,
  );
}

export const invalidBody = (message: string) => new DomainError('invalid', message);
