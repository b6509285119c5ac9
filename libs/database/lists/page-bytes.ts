/**
 * The maximum total size of the documents in one page, in bytes. A caller can request a hundred pages at the same time,
 * so this limit bounds the cost of each page for PostgreSQL, this process and the network.
 */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/**
 * Returns the rows before the first row without content. PostgreSQL leaves out the content of documents that would make
 * the page too large.
 */
export function rowsThatFit<Row extends object>(rows: Row[]): Row[] {
  const end = rows.findIndex((row) => 'content' in row && row.content === null);
  return end === -1 ? rows : rows.slice(0, end);
}
