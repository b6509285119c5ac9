import type { JsonText } from '#json';

// A newsletter has some 5,000 characters of text. The words beyond this are not found.
const MAX_TEXT_LENGTH = 16_384;
// Takes 0.1 ms or less.
const STRINGS_BETWEEN_CHECKPOINTS = 100;

// After the name of a member.
const COLON = /\s*:/y;

/** Members with these names hold identifiers and presentation, which no reader of the email sees. */
const OTHER_MEMBERS =
  /^(?:type|kind|class|target|rel|lang|dir|href|src|url)$|id$|ids$|link|color|colour|font|align|style|padding|margin|border|width|height|radius|background|display|position|decoration|direction|spacing|size/i;
/** URLs and colours, wherever they are. */
const OTHER_VALUE = /^(?:[a-z][a-z\d+.-]*:\/?\/?\S+|\/\/\S+|#[\da-f]{3,8})$/i;
const TAG = /<[^<>]*>/g;
// Leaves single spaces alone: replacing them takes most of the time.
const SPACES = /\s{2,}|[^\S ]/g;
const ENTITY = /&(#x?[\da-f]{1,6}|\w{1,8});/gi;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Extracts the text that a reader of the email sees. This guesses from the names of members and the form of
 * values which values are such texts. The documents of modules are not included. The document may be cut.
 */
export function* extractText({ text }: JsonText): Generator<void, string> {
  const parts: string[] = [];
  let length = 0;
  let name = '';
  let offset = text.indexOf('"');
  for (let count = 1; offset >= 0 && length < MAX_TEXT_LENGTH; count++) {
    if (count % STRINGS_BETWEEN_CHECKPOINTS === 0) yield;
    const end = endOfString(text, offset + 1);
    if (end < 0) break;
    const string = text.slice(offset + 1, end);
    COLON.lastIndex = end + 1;
    if (text[end + 1] === ':' || COLON.test(text)) name = string;
    else if (!OTHER_MEMBERS.test(name)) {
      const part = visibleText(string);
      if (part !== '') parts.push(part);
      length += part.length;
    }
    offset = text.indexOf('"', end + 1);
  }
  return parts.join(' ').slice(0, MAX_TEXT_LENGTH).toWellFormed();
}

/**
 * The offset of the quotation mark that ends a string; -1 if the document
 * is cut within the string. A regular expression takes four times as long.
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
  // A string of a megabyte is not decoded as a whole.
  const start = string.slice(0, 2 * MAX_TEXT_LENGTH);
  const value = start.includes('\\') ? unescape(start) : start;
  if (OTHER_VALUE.test(value)) return '';
  return value
    .replace(TAG, ' ')
    .replace(ENTITY, (_entity, code: string) => decode(code))
    .replace(SPACES, ' ')
    .trim();
}

/** Decodes the escapes of JSON. The string may have been cut within an escape. */
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

/** PostgreSQL stores no NUL, and nobody searches for control characters. */
const decodePoint = (point: number): string =>
  point >= 32 && point <= 0x10ffff ? String.fromCodePoint(point) : ' ';
