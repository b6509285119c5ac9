const WHITE_SPACE = [0x20, 0x09, 0x0a, 0x0d];
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LETTER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** A step of a path that stands for every element of an array. */
export const EACH = Symbol('each');

/** Where a value is: the names of the members that lead to it from the outermost object. Ends with a name. */
export type Path = readonly (string | typeof EACH)[];

/** How much there may be. */
export interface Limits {
  /** Levels of objects and arrays, one in another. */
  depth: number;
  /** Elements of the array that `EACH` stands for. */
  elements: number;
}

export interface JsonScan {
  /** The limit at which the scan was given up; what is found is then of no use. */
  exceeded?: keyof Limits;
  /**
   * The bytes of what is at the path, without white space around it. Behind `EACH` there may be
   * many: they have the indices of the array's elements, and leave out those that have none.
   */
  found: Buffer[];
}

/**
 * Finds what is at a path, and whether there is too much of something: that is known here long before
 * `JSON.parse` would be done with it. What strings hold is skipped. Of what is not valid JSON anything
 * may be found.
 */
export function scanJson(json: Buffer, path: Path, limits: Limits): JsonScan {
  let depth = 0;
  // How much of the path leads to where we are: all of it up to `depth` inside a value on the path.
  let steps = 0;
  let element = 0;
  let keyStart = 0;
  let start = 0;
  let found: Buffer[] = [];

  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case QUOTE:
        keyStart = at;
        at = endOfString(json, at);
        break;
      case COLON:
        if (steps === depth - 1 && isString(json, keyStart, path[steps])) {
          steps++;
          start = at + 1;
        }
        // Or each of many colons, which are no JSON, would have the same name compared again.
        keyStart = at;
        break;
      case OPEN_BRACE:
        if (++depth > limits.depth) return { exceeded: 'depth', found };
        break;
      case OPEN_BRACKET:
        if (++depth > limits.depth) return { exceeded: 'depth', found };
        if (steps === depth - 1 && path[steps] === EACH) {
          steps++;
          element = 0;
          found = [];
        }
        break;
      case COMMA:
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (steps === depth) {
          // Of a name that is there twice the last counts, as it does for JSON.parse.
          if (steps === path.length) found[element] = trimmed(json, start, at);
          if (json[at] !== COMMA || path[steps - 1] !== EACH) steps--;
          else if (++element === limits.elements) return { exceeded: 'elements', found };
        }
        if (json[at] !== COMMA) depth--;
        break;
    }
  }
  return { found };
}

/** Whether a string that says `text`, which is of letters, begins at `start`. */
function isString(json: Buffer, start: number, text: Path[number] | undefined): boolean {
  if (typeof text !== 'string') return false;
  let at = start + 1;
  for (let letter = 0; letter < text.length; letter++) {
    const isEscape = json[at] === BACKSLASH && json[at + 1] === LETTER_U;
    const code = isEscape ? parseInt(json.toString('latin1', at + 2, at + 6), 16) : json[at];
    if (code !== text.charCodeAt(letter)) return false;
    at += isEscape ? 6 : 1;
  }
  return json[at] === QUOTE;
}

/** The position of the quote that ends the string which begins at `start`, or behind the bytes. */
function endOfString(json: Buffer, start: number): number {
  let end = start + 1;
  while (end < json.length && json[end] !== QUOTE) end += json[end] === BACKSLASH ? 2 : 1;
  return end;
}

function trimmed(json: Buffer, from: number, to: number): Buffer {
  let [start, end] = [from, to];
  while (WHITE_SPACE.includes(json[start] ?? 0)) start++;
  while (WHITE_SPACE.includes(json[end - 1] ?? 0)) end--;
  return json.subarray(start, end);
}
