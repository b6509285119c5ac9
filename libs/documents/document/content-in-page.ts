import { MAX_PAGE_BYTES } from '#database';

/**
 * An SQL expression for the column `content` in a page of documents. It is the content of the row `table` until the
 * contents of the page exceed `MAX_PAGE_BYTES`, and NULL from then on. The first row always has its content. PostgreSQL
 * does not read contents that become NULL.
 *
 * The SELECT must end with `pageWindow`. Its FROM clause must be a subquery with the ORDER BY and LIMIT of the page, so
 * that the subquery is an index scan. If the window and the LIMIT were in the same SELECT, PostgreSQL might sort all
 * rows.
 */
export const contentInPage = (table: string): string => `CASE
    WHEN sum(${table}.content_bytes) OVER page_so_far <= ${MAX_PAGE_BYTES} OR row_number() OVER page_so_far = 1
    THEN ${table}.content::text
  END AS content`;

/** The WINDOW clause that `contentInPage` requires. `order` is the ORDER BY of the page. */
export const pageWindow = (order: string): string =>
  `WINDOW page_so_far AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)`;
