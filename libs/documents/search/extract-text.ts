import type { JsonText } from '#json';

// A typical newsletter has about 5,000 characters of text. Words beyond this limit are not found.
const MAX_TEXT_LENGTH = 16_384;
// This many strings take at most 0.1 ms.
const STRINGS_BETWEEN_CHECKPOINTS = 100;

// In JSON, a colon follows the name of a member, but no other string.
const COLON = /\s*:/y;

/** Members with these names hold identifiers or styling, not text that recipients of the email see. */
const OTHER_MEMBERS =
  /^(?:type|kind|class|target|rel|lang|language|dir|href|src|url|source)$|id$|ids$|link|color|colour|font|align|style|padding|margin|border|width|height|radius|background|display|position|decoration|direction|spacing|size/i;
/** Objects with these names contain nothing that recipients see. */
const UNSEEN_MEMBERS = ['sampleData', 'fonts', 'variables'];
/** URLs and colours, which are not visible text in any member. */
const OTHER_VALUE = /^(?:[a-z][a-z\d+.-]*:\/?\/?\S+|\/\/\S+|#[\da-f]{3,8})$/i;
const TAG = /<[^<>]*>/g;
// Does not match single spaces, because replacing them would take most of the time.
const SPACES = /\s{2,}|[^\S ]/g;
const ENTITY = /&(#x?[\da-f]{1,6}|\w{1,8});/gi;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Extracts the text that recipients of the email see. The function guesses from member names and value formats which
 * values are visible text. The contents of referenced modules are not included. The JSON may be truncated.
 */
export function* extractText({ text }: JsonText): Generator<void, string> {
  const parts: string[] = [];
  let length = 0;
  let name = '';
  let isUnseen = false;
  let depth = 0;
  let previousEnd = -1;
  let offset = text.indexOf('"');
  for (let count = 1; offset >= 0 && length < MAX_TEXT_LENGTH; count++) {
    if (count % STRINGS_BETWEEN_CHECKPOINTS === 0) yield;
    const end = endOfString(text, offset + 1);
    if (end < 0) break;
    const string = text.slice(offset + 1, end);
    if (isUnseen) {
      depth += openBraces(text.slice(previousEnd + 1, offset));
      isUnseen = depth > 0;
    }
    previousEnd = end;
    COLON.lastIndex = end + 1;
    if (isUnseen) {
      // Skips the string: recipients see neither the sample data nor the names of fonts.
    } else if (text[end + 1] === ':' || COLON.test(text)) {
      name = string;
      isUnseen = UNSEEN_MEMBERS.includes(name);
      depth = 0;
    } else if (!OTHER_MEMBERS.test(name)) {
      const part = visibleText(string);
      if (part !== '') parts.push(part);
      length += part.length;
    }
    offset = text.indexOf('"', end + 1);
  }
  return parts.join(' ').slice(0, MAX_TEXT_LENGTH).toWellFormed();
}

/** How many more braces and brackets a text between two strings opens than it closes. */
const openBraces = (text: string): number => text.split(/[[{]/).length - text.split(/[\]}]/).length;

/**
 * Returns the offset of the closing quotation mark, or -1 if the JSON is truncated within the string. A regular
 * expression would take four times as long.
 */
function endOfString(text: string, start: number): number {
  let end = start - 1;
  let backslashes: number;
  do {
    end = text.indexOf('"', end + 1);
    backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
  } while (backslashes % 2 === 1);
  return end;
}

function visibleText(string: string): string {
  // Avoids decoding a whole string, which may be a megabyte long.
  const start = string.slice(0, 2 * MAX_TEXT_LENGTH);
  const value = start.includes('\\') ? unescape(start) : start;
  if (OTHER_VALUE.test(value)) return '';
  return value
    .replace(TAG, ' ')
    .replace(ENTITY, (_entity, code: string) => decode(code))
    .replace(SPACES, ' ')
    .trim();
}

/** Decodes JSON escape sequences. The string may be truncated within an escape sequence. */
const unescape = (string: string): string =>
  string.replace(
    /\\(?:u([\da-f]{4})|(.?))/gi,
    (_escape, code: string | undefined, character: string | undefined) =>
      code === undefined
        ? /["\\/]/.test(character ?? '')
          ? (character ?? '')
          : ' '
        : decodePoint(parseInt(code, 16)),
  );

function decode(code: string): string {
  if (!code.startsWith('#')) return ENTITIES[code.toLowerCase()] ?? ' ';
  const isHex = /^#x/i.test(code);
  return decodePoint(parseInt(code.slice(isHex ? 2 : 1), isHex ? 16 : 10));
}

/** Replaces control characters with a space: PostgreSQL cannot store NUL, and nobody searches for the others. */
const decodePoint = (point: number): string =>
  point >= 32 && point <= 0x10ffff ? String.fromCodePoint(point) : ' ';
