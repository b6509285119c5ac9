import { nameKey } from './list-order.js';

const MAX_NAME_LENGTH = 255;

/** `Spring sale (copy 3)` → `Spring sale`: the copy of a copy continues the same series. */
export const stripCopySuffix = (name: string): string =>
  name.replace(/ \(copy(?: \d+)?\)$/, '') || name;

/**
 * SQL for the first free name among `Name (copy)`, `Name (copy 2)` …, the name cut to stay within
 * its limit. Names that differ in upper and lower case alone count as the same, as they do in lists, whose
 * index by name each candidate is one look-up in. The series stands in a select list because PostgreSQL
 * makes its numbers one by one there, and all at once in FROM.
 */
export const freeCopyName = (table: string, workspaceId: string, name: string): string => `(
  SELECT candidate.name
  FROM (SELECT generate_series(1, 1000000) AS number) numbers,
    LATERAL (SELECT CASE number WHEN 1 THEN ' (copy)' ELSE ' (copy ' || number || ')' END AS text) suffix,
    LATERAL (SELECT left(${name}, ${MAX_NAME_LENGTH} - length(suffix.text)) || suffix.text AS name) candidate
  WHERE NOT EXISTS (
    SELECT FROM ${table} taken
    WHERE taken.workspace_id = ${workspaceId} AND ${nameKey('taken.name')} = ${nameKey('candidate.name')}
  )
  LIMIT 1
)`;
