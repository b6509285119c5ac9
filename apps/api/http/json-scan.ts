const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

export interface JsonScan {
  /** The deepest nesting: 0 for a text without objects and arrays. */
  depth: number;
  /** The text of the wanted member of the outermost object, without white space around it. */
  member: string | undefined;
}

/**
 * Finds the text of one member of the outermost object, and how deep the nesting goes. `text` must
 * be valid JSON. Strings, which are most of a document, are skipped and not walked through.
 */
export function scanObject(text: string, memberName: string): JsonScan {
  let depth = 0;
  let deepest = 0;
  let key: string | undefined;
  let start = -1;
  let member: string | undefined;

  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(text, at);
        if (depth === 1 && start < 0) key = text.slice(at, end + 1);
        at = end;
        break;
      }
      case COLON:
        if (depth === 1 && key !== undefined && JSON.parse(key) === memberName) start = at + 1;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        deepest = Math.max(deepest, ++depth);
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
        if (depth === 0 && start >= 0) member = text.slice(start, at).trim();
        break;
      case COMMA:
        if (depth === 1) {
          // Of a name that is there twice the last counts, as it does for JSON.parse.
          if (start >= 0) member = text.slice(start, at).trim();
          start = -1;
        }
        break;
    }
  }
  return { depth: deepest, member };
}

/** The position of the quote that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}
