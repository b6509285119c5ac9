// RFC 5322, section 2.1.1: lines should have at most 78 characters.
const LINE_LENGTH = 78;

/** Stands at the beginning of the line below a heading, before the character of the underline. */
export const UNDERLINE = '\ue002';
export const RULE = '-'.repeat(LINE_LENGTH);

/**
 * Lays out a plain text, after data has been put in: breaks long lines, underlines headings, and removes the
 * empty lines that nodes leave which are not shown.
 */
export function layoutText(text: string): string {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith(UNDERLINE)) {
      lines.push(line.charAt(1).repeat(lines.at(-1)?.length ?? 0));
    } else addWrapped(lines, line.trimEnd());
  }
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

/** The beginning of an entry of a list, or of a quotation. */
const BEGINNING = /^(?:\s*(?:-|\d+\.)\s+|(?:> ?)+|\s+)/;

function addWrapped(lines: string[], line: string): void {
  if (line.length <= LINE_LENGTH) {
    lines.push(line);
    return;
  }
  const [beginning = ''] = BEGINNING.exec(line) ?? [];
  // The following lines of an entry stand below its text.
  const indent = beginning.startsWith('>') ? beginning : ' '.repeat(beginning.length);
  let current = beginning;
  let isEmpty = true;
  for (const word of line.slice(beginning.length).split(' ')) {
    if (!isEmpty && current.length + 1 + word.length > LINE_LENGTH) {
      lines.push(current);
      current = indent;
      isEmpty = true;
    }
    current += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  lines.push(current);
}
