import { MAX_PAGE_BYTES } from '#database';

/**
 * SQL of the column `content` in a SELECT of the rows of a page, which ends with `pageWindow`: the document
 * of `table`, or NULL if it no longer fits. The first document always fits. PostgreSQL reads no document
 * that it leaves out, unless the document is older than the column `content_bytes`. The rows are a
 * subquery with ORDER BY and LIMIT, which stays a scan of the index: a window might make it a sort.
 */
export const contentInPage = (table: string): string => `CASE
    WHEN sum(coalesce(${table}.content_bytes, octet_length(${table}.content::text))) OVER page_so_far
      <= ${MAX_PAGE_BYTES} OR row_number() OVER page_so_far = 1
    THEN ${table}.content::text
  END AS content`;

/** The window of `contentInPage`, in the order of the page. */
export const pageWindow = (order: string): string =>
  `WINDOW page_so_far AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)`;
