import { nextUpdatedAtInOrder, type Transaction } from '#database';
import type { Actor } from '#workspaces';
import {
  changedColumns,
  columnValue,
  UNVERSIONED_COLUMNS,
  type DocumentType,
  type ChangedRow,
} from './document-type.js';

const ASSIGNMENTS = UNVERSIONED_COLUMNS.map(
  (column) => `${column} = ${columnValue(column, `input.${column}`)}`,
).join(', ');

/**
 * Changes the tags and the external ids of locked documents. Creates no new versions, because each would copy the
 * content.
 * @param changes `row` is a result of `nextRow`.
 */
export const changeUnversioned = async (
  { query }: Pick<Transaction, 'query'>,
  type: DocumentType,
  actor: Actor,
  changes: readonly { id: string; row: Record<string, string> }[],
): Promise<ChangedRow[]> => {
  if (changes.length === 0) return [];
  // The rows are locked, so their ctid does not change before the UPDATE.
  return query<ChangedRow>(
    `UPDATE documents document
     SET ${ASSIGNMENTS}, events = events + 1, updated_at = ${nextUpdatedAtInOrder}, updated_by = $2
     FROM unnest($1::uuid[], $3::text[], $4::text[]) AS input (id, ${UNVERSIONED_COLUMNS.join(', ')})
     CROSS JOIN LATERAL (SELECT ctid AS place FROM documents WHERE id = input.id LIMIT 1) located
     WHERE document.ctid = located.place
     RETURNING ${changedColumns(type)}`,
    [
      changes.map(({ id }) => id),
      actor.userId,
      ...UNVERSIONED_COLUMNS.map((column) => changes.map(({ row }) => row[column])),
    ],
  );
};
