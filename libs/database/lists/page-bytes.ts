/**
 * The largest number of bytes of documents in one page. A caller can request a hundred pages at once, so
 * this limits what one request costs PostgreSQL, this process, and the network.
 */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Returns the rows before the first one whose document was left out because the page would be too large. */
export function rowsThatFit<Row extends object>(rows: Row[]): Row[] {
  const end = rows.findIndex((row) => 'content' in row && row.content === null);
  return end === -1 ? rows : rows.slice(0, end);
}
