import { DocumentTree, NONE } from './document-tree.js';

// Reading this many characters takes 0.1 ms or less.
const CHARACTERS_BETWEEN_CHECKPOINTS = 8 * 1024;

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Parses a stored document, which is known to be valid JSON. Yields wherever the work may be interrupted. */
export function* readTree(text: string): Generator<void, DocumentTree> {
  const tree = new DocumentTree(text);
  /**
   * `container` is the innermost open object or array. `lengths` counts the elements that were read so far in each open
   * object or array.
   */
  let container = NONE;
  const lengths: number[] = [];
  let nameStart = NONE;
  let checkpoint = CHARACTERS_BETWEEN_CHECKPOINTS;
  let offset = 0;
  while (offset < text.length) {
    const code = text.charCodeAt(offset);
    if (code <= SPACE || code === COMMA || code === COLON) offset++;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      offset++;
      container = tree.close(container, offset);
      lengths.pop();
    } else if (isInObject(tree, container) && nameStart === NONE) {
      nameStart = offset;
      offset = afterString(text, offset);
    } else {
      const index = lengths.length === 0 ? 0 : (lengths[lengths.length - 1] as number)++;
      const value = tree.add(offset, container, nameStart === NONE ? index : nameStart);
      nameStart = NONE;
      if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        offset++;
        container = value;
        lengths.push(0);
      } else {
        offset = code === QUOTE ? afterString(text, offset) : afterWord(text, offset);
        tree.close(value, offset);
      }
    }
    if (offset < checkpoint) continue;
    checkpoint = offset + CHARACTERS_BETWEEN_CHECKPOINTS;
    yield;
  }
  return tree;
}

const isInObject = (tree: DocumentTree, container: number): boolean =>
  container !== NONE && tree.isObject(container);

/** The offset after the string that begins at `start`. */
export function afterString(text: string, start: number): number {
  let offset = start + 1;
  while (offset < text.length) {
    const code = text.charCodeAt(offset);
    if (code === QUOTE) return offset + 1;
    offset += code === BACKSLASH ? 2 : 1;
  }
  return text.length;
}

/** The offset after the number or literal that begins at `start`. */
function afterWord(text: string, start: number): number {
  let offset = start + 1;
  while (offset < text.length) {
    const code = text.charCodeAt(offset);
    if (code <= SPACE || code === COMMA || code === CLOSE_BRACKET || code === CLOSE_BRACE) break;
    offset++;
  }
  return offset;
}
