import { forEachType, rowColumns, type DocumentType } from '../document/document-type.js';

/**
 * Locks the workspace of the document $1 in `table`. A transaction that moves a document to the trash or out of it
 * takes this lock first, because deleting a workspace locks in the same order: the workspace, then its contents.
 */
export const lockWorkspaceOf = (table: string): string =>
  `SELECT FROM workspaces WHERE id = (SELECT workspace_id FROM ${table} WHERE id = $1) FOR KEY SHARE`;

/**
 * Moves the locked documents with the ids $1 to the trash, on behalf of the user $2 and for $3 days. With 0 days, the
 * documents are deleted for good.
 *
 * Only the row moves: the versions stay where they are, because a document may have thousands of versions of 1 MiB. If
 * the row does not go to the trash, a trigger (`purge_unless_kept`) leaves the versions to `VersionPurge`.
 *
 * Locks: the rows.
 * Reads: `module_usages`, whose rows a trigger deletes (`delete_module_usages`).
 * Writes: `documents`, `trashed_documents`, `module_usages`, `documents_to_purge`.
 * Returns: the ids, with the sequence numbers of the events.
 */
export const moveToTrash = forEachType((type) => {
  const fields = storedColumns(type).map((column) => `'${column}', document.${column}`);
  return `WITH deleted AS (
      DELETE FROM documents document WHERE id = ANY ($1)
      RETURNING id, workspace_id, events + 1 AS sequence,
        jsonb_build_object(${fields.join(', ')}) AS fields
    ), trashed AS (
      INSERT INTO trashed_documents
        (id, kind, workspace_id, fields, usages, deleted_by, deleted_at, expires_at)
      SELECT id, '${type.kind}', workspace_id, fields, (
        SELECT coalesce(jsonb_agg(jsonb_build_object(
          'module_id', module_id, 'pinned_version', pinned_version, 'occurrences', occurrences
        )), '[]') FROM module_usages WHERE document_id = deleted.id
      ), $2, now(), now() + $3::integer * interval '1 day'
      FROM deleted WHERE $3::integer > 0
    )
    SELECT id, sequence FROM deleted`;
});

const OWN_COLUMNS = ['id', 'workspace_id'];

/** The columns of a document's row that `trashed_documents` stores in `fields`. */
export const storedColumns = (type: DocumentType): string[] =>
  rowColumns(type).filter((column) => !OWN_COLUMNS.includes(column));
