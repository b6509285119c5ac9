import { MAX_PAGE_BYTES } from '#database';

/**
 * An SQL expression for the column `content` in a page of documents. `table` is the alias of the row. The first row
 * always has its content. Later rows have theirs until the total size of the contents would exceed `MAX_PAGE_BYTES`. In
 * all further rows, the column is NULL, and PostgreSQL does not read the content.
 *
 * The SELECT must end with `pageWindow`. The FROM clause of the SELECT must be a subquery with the ORDER BY and LIMIT
 * of the page, so that the subquery is an index scan. If the window and the LIMIT were in the same SELECT, PostgreSQL
 * might sort all rows.
 */
export const contentInPage = (table: string): string => `CASE
    WHEN sum(${table}.content_bytes) OVER page_so_far <= ${MAX_PAGE_BYTES} OR row_number() OVER page_so_far = 1
    THEN ${table}.content::text
  END AS content`;

/** The WINDOW clause that `contentInPage` requires. `order` is the ORDER BY of the page. */
export const pageWindow = (order: string): string =>
  `WINDOW page_so_far AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)`;
