interface JsonToken {
  kind: 'key' | 'string' | 'number' | 'literal' | 'punctuation';
  text: string;
}

export interface JsonLine {
  depth: number;
  tokens: JsonToken[];
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g;

/**
 * Formats JSON as indented lines. Unlike JSON.parse and JSON.stringify, it keeps large numbers, escapes and duplicate
 * keys exactly as they were sent.
 *
 * @returns undefined if the text is not JSON.
 */
export function toJsonLines(text: string): JsonLine[] | undefined {
  if (!isJson(text)) return undefined;
  const tokens = text.match(TOKEN) ?? [];
  const lines: JsonLine[] = [];
  let line: JsonLine = { depth: 0, tokens: [] };
  let depth = 0;
  const startLine = () => {
    if (line.tokens.length > 0) lines.push(line);
    line = { depth, tokens: [] };
  };
  for (const [index, token] of tokens.entries()) {
    const isOpening = token === '{' || token === '[';
    const isClosing = token === '}' || token === ']';
    const closesEmpty = isClosing && isOpeningOf(token, tokens[index - 1]);
    if (isClosing) depth -= 1;
    if (isClosing && !closesEmpty) startLine();
    line.tokens.push({ kind: kindOf(token, tokens[index + 1]), text: spaced(token) });
    if (isOpening) depth += 1;
    const opensEmpty = isOpening && isOpeningOf(tokens[index + 1] ?? '', token);
    if ((isOpening && !opensEmpty) || token === ',') startLine();
  }
  startLine();
  return lines;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const isOpeningOf = (closing: string, opening: string | undefined): boolean =>
  (closing === '}' && opening === '{') || (closing === ']' && opening === '[');

const spaced = (token: string): string => (token === ':' ? ': ' : token);

function kindOf(token: string, next: string | undefined): JsonToken['kind'] {
  if (token.startsWith('"')) return next === ':' ? 'key' : 'string';
  if (/^[-\d]/.test(token)) return 'number';
  return /^[a-z]/.test(token) ? 'literal' : 'punctuation';
}
