import { MAX_PAGE_BYTES } from '#database';

/**
 * SQL for the column `content` of the rows of a page: the content of the row `table`, or NULL once the contents of the
 * page exceed `MAX_PAGE_BYTES`. The first document always fits. PostgreSQL does not read content for which the result
 * is NULL.
 *
 * The SELECT with this column must end with `pageWindow`, and must select from a subquery that has the ORDER BY and
 * LIMIT of the page. The subquery is then an index scan. With the window and the LIMIT in the same SELECT, PostgreSQL
 * might sort.
 */
export const contentInPage = (table: string): string => `CASE
    WHEN sum(${table}.content_bytes) OVER page_so_far <= ${MAX_PAGE_BYTES} OR row_number() OVER page_so_far = 1
    THEN ${table}.content::text
  END AS content`;

/** The window that `contentInPage` uses, in the order of the page. */
export const pageWindow = (order: string): string =>
  `WINDOW page_so_far AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)`;
