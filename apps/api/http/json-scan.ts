const WHITE_SPACE = [0x20, 0x09, 0x0a, 0x0d];
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
  /** The bytes of the wanted member of the outermost object, without white space around it. */
  member: Buffer | undefined;
}

/**
 * Finds one member of the outermost object, and how deep the nesting goes. `json` must be valid JSON
 * in UTF-8. What strings hold is skipped.
 */
export function scanObject(json: Buffer, memberName: string): JsonScan {
  let depth = 0;
  let deepest = 0;
  let key: string | undefined;
  let start = -1;
  let member: Buffer | undefined;

  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case QUOTE: {
        const end = endOfString(json, at);
        if (depth === 1 && start < 0) key = json.toString('utf8', at, end + 1);
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
        if (depth === 0 && start >= 0) member = trimmed(json, start, at);
        break;
      case COMMA:
        if (depth === 1) {
          // Of a name that is there twice the last counts, as it does for JSON.parse.
          if (start >= 0) member = trimmed(json, start, at);
          start = -1;
        }
        break;
    }
  }
  return { depth: deepest, member };
}

/** The position of the quote that ends the string which begins at `start`. */
function endOfString(json: Buffer, start: number): number {
  let end = start + 1;
  while (json[end] !== QUOTE) end += json[end] === BACKSLASH ? 2 : 1;
  return end;
}

function trimmed(json: Buffer, from: number, to: number): Buffer {
  let [start, end] = [from, to];
  while (WHITE_SPACE.includes(json[start] ?? 0)) start++;
  while (WHITE_SPACE.includes(json[end - 1] ?? 0)) end--;
  return json.subarray(start, end);
}
