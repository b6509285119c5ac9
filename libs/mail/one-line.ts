/** Puts a text on one line, without control characters, and shortens it to `maxLength` characters. */
export function oneLine(text: string, maxLength: number): string {
  // The longest possible result has two code units for each character. White space may shrink.
  const line = text
    .slice(0, 4 * maxLength)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : line;
}
