/**
 * Bytes of the documents that one page holds at most. A caller can make a hundred of them in a moment, so
 * a page is what one request may cost PostgreSQL, this process and the network.
 */
export const PAGE_BYTES = 4 * 1024 * 1024;

/**
 * SQL of the column `content` in a SELECT of the rows of a page, which ends with `pageSoFar`: the document
 * of `table`, or NULL if it no longer fits. The first document always comes. PostgreSQL reads no document
 * that it leaves out, unless the document is older than the column `content_bytes`. The rows are a
 * subquery with ORDER BY and LIMIT, which stays a scan of the index: a window might make it a sort.
 */
export const contentInPage = (table: string): string => `CASE
    WHEN sum(coalesce(${table}.content_bytes, octet_length(${table}.content::text))) OVER page_so_far
      <= ${PAGE_BYTES} OR row_number() OVER page_so_far = 1
    THEN ${table}.content::text
  END AS content`;

/** The window of `contentInPage`, in the order of the page. */
export const pageSoFar = (order: string): string =>
  `WINDOW page_so_far AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)`;

/** Rows of a page up to the first whose document was left out. */
export function rowsThatFit<Row extends object>(rows: Row[]): Row[] {
  const end = rows.findIndex((row) => 'content' in row && row.content === null);
  return end === -1 ? rows : rows.slice(0, end);
}
