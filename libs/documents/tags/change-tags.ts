import { nextUpdatedAtInOrder, type Transaction } from '#database';
import type { Actor } from '#workspaces';
import {
  changedColumns,
  columnValue,
  type DocumentType,
  type ChangedRow,
} from '../document/document-type.js';

/**
 * Changes the tags of locked documents. Creates no new versions, because each would copy the content.
 * @param changes `tags` is a result of `tagsText`.
 */
export const changeTags = async (
  { query }: Pick<Transaction, 'query'>,
  type: DocumentType,
  actor: Actor,
  changes: readonly { id: string; tags: string | undefined }[],
): Promise<ChangedRow[]> => {
  if (changes.length === 0) return [];
  // The rows are locked, so their ctid does not change before the UPDATE.
  return query<ChangedRow>(
    `UPDATE documents document
     SET tags = ${columnValue('tags', 'input.tags')}, events = events + 1,
       updated_at = ${nextUpdatedAtInOrder}, updated_by = $3
     FROM unnest($1::uuid[], $2::text[]) AS input (id, tags)
     CROSS JOIN LATERAL (SELECT ctid AS place FROM documents WHERE id = input.id LIMIT 1) located
     WHERE document.ctid = located.place
     RETURNING ${changedColumns(type)}`,
    [changes.map(({ id }) => id), changes.map(({ tags }) => tags), actor.userId],
  );
};
