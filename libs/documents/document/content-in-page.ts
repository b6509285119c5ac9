import { MAX_PAGE_BYTES } from '#database';

/**
 * SQL of the column `content` for the rows of a page: the document of `table`, or NULL if the document no
 * longer fits into `MAX_PAGE_BYTES`. The first document always fits. PostgreSQL does not read a document
 * for which the result is NULL.
 *
 * The SELECT with this column must end with `pageWindow`, and must select from a subquery that has the
 * ORDER BY and LIMIT of the page. Then the subquery is a scan of the index. If the window were in the same
 * SELECT as the LIMIT, PostgreSQL might sort.
 */
export const contentInPage = (table: string): string => `CASE
    WHEN sum(${table}.content_bytes) OVER page_so_far <= ${MAX_PAGE_BYTES} OR row_number() OVER page_so_far = 1
    THEN ${table}.content::text
  END AS content`;

/** The window of `contentInPage`, in the order of the page. */
export const pageWindow = (order: string): string =>
  `WINDOW page_so_far AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)`;
