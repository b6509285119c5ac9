import { nameKey } from '../lists/list-order.js';

const MAX_NAME_LENGTH = 255;

/** `Spring sale (copy 3)` → `Spring sale`, so that a copy of a copy continues the same series. */
export const stripCopySuffix = (name: string): string =>
  name.replace(/ \(copy(?: \d+)?\)$/, '') || name;

/**
 * SQL for the first free name among `Name (copy)`, `Name (copy 2)` and so on. `Name` is truncated if the result would
 * exceed the maximum length. Names that differ only in case count as the same: they are compared by the key by
 * which lists are sorted. Each candidate therefore takes one look-up in the index of lists.
 *
 * `generate_series` is in the select list, where PostgreSQL generates the numbers one at a time. In FROM, PostgreSQL
 * would generate all of them first.
 */
export const freeCopyName = (kind: string, workspaceId: string, name: string): string => `(
  SELECT candidate.name
  FROM (SELECT generate_series(1, 1000000) AS number) numbers,
    LATERAL (SELECT CASE number WHEN 1 THEN ' (copy)' ELSE ' (copy ' || number || ')' END AS text) suffix,
    LATERAL (SELECT left(${name}, ${MAX_NAME_LENGTH} - length(suffix.text)) || suffix.text AS name) candidate
  WHERE NOT EXISTS (
    SELECT FROM documents taken
    WHERE taken.workspace_id = ${workspaceId} AND taken.kind = '${kind}'
      AND ${nameKey('taken.name')} = ${nameKey('candidate.name')}
  )
  LIMIT 1
)`;
