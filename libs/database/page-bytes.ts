/**
 * Bytes of the documents that one page holds at most. A caller can request a hundred pages in a moment, so
 * this bounds what one request may cost PostgreSQL, this process and the network.
 */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Rows of a page up to the first whose document was left out. */
export function rowsThatFit<Row extends object>(rows: Row[]): Row[] {
  const end = rows.findIndex((row) => 'content' in row && row.content === null);
  return end === -1 ? rows : rows.slice(0, end);
}
