import type { DocumentType } from '../document/document-type.js';
import { MAX_CANDIDATES, type Filter } from './document-filters.js';
import type { ListOrder } from './list-order.js';

// Most combinations of filters and orders have no index, because every index slows down all writes. Instead, a page
// scans at most this many rows, which takes about 10 milliseconds, and then ends with a cursor.
export const MAX_SCANNED = 5_000;

const inList = ({ kind }: DocumentType): string =>
  `document.workspace_id = member.workspace_id AND document.kind = '${kind}'`;

/**
 * Selects the rows of a page of documents in `member.workspace_id`.
 *
 * Reads: without filters, only the rows of the page, from the index of the sort order. With filters, at most
 * `MAX_CANDIDATES` rows if an index finds that few for one of the filters. If no index finds that few, at most
 * `MAX_SCANNED` rows from the index of the sort order.
 * Returns: the rows in the order of the page. If `matches` is true, the row belongs to the page. `isScanEnd` marks the
 * last row of a scan that stopped early.
 *
 * - candidates_<n>: ids of the documents that match filter <n>; `MAX_CANDIDATES` + 1 ids if there are too many.
 * - one SELECT for each filter that has candidates: PostgreSQL runs only the SELECT of the first filter with few
 *   candidates. The conditions that skip the other SELECTs do not depend on a row, so they are evaluated before any row
 *   is read.
 * - the last SELECT: the scan, which runs only if all filters have too many candidates.
 */
export function selectFiltered(
  type: DocumentType,
  order: ListOrder,
  filters: readonly Filter[],
  limit: string,
): string {
  const scan = (conditions: readonly string[], columns: string, scanLimit: string | number) =>
    `SELECT *${columns} FROM documents document
     WHERE ${[inList(type), order.whereAfter, ...conditions].join(' AND ')}
     ORDER BY ${order.by} LIMIT ${scanLimit}`;
  if (filters.length === 0) {
    return scan([], ', true AS matches, false AS "isScanEnd"', limit);
  }
  const matches = filters.map((filter) => `(${filter.matches})`).join(' AND ');
  const sources = filters.flatMap(({ candidates }) => candidates ?? []);
  const hasMany = sources.map(
    (_, index) => `(SELECT count(*) FROM candidates_${index}) > ${MAX_CANDIDATES}`,
  );
  const lookUps = sources.map(
    (_, index) => `(
      SELECT document.*, ${order.sortKey}, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_${index}) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE ${[...hasMany.slice(0, index), `NOT ${hasMany[index]}`].join(' AND ')}
        AND ${inList(type)} AND ${order.whereAfter} AND ${matches}
      ORDER BY ${order.by} LIMIT ${limit}
    )`,
  );
  const rank = `, ${order.sortKey}, row_number() OVER (ORDER BY ${order.by}) AS rank`;
  const boundedScan = `(
      SELECT * FROM (
        SELECT *, ${matches} AS matches, rank = ${MAX_SCANNED} AS "isScanEnd"
        FROM (${scan(hasMany, rank, MAX_SCANNED)}) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY ${order.bySortKey} LIMIT ${limit}
    )`;
  if (sources.length === 0) return boundedScan;
  const expressions = sources.map(
    (source, index) => `candidates_${index} AS MATERIALIZED (${source})`,
  );
  return `WITH ${expressions.join(', ')}
    SELECT * FROM (${[...lookUps, boundedScan].join(' UNION ALL ')}) document
    ORDER BY ${order.bySortKey} LIMIT ${limit}`;
}
