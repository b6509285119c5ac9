import type { TestDatabase } from './database.js';

/** Fills the trash of a workspace with templates that have one version each, one deletion a second. */
export async function fillTrash(
  database: TestDatabase,
  workspaceId: string,
  count: number,
): Promise<void> {
  await database.query(
    `WITH trashed AS (
       INSERT INTO trashed_documents
         (id, kind, workspace_id, fields, usages, deleted_by, deleted_at, expires_at)
       SELECT gen_random_uuid(), 'template', $1,
         json_build_object('name', 'Name ' || number, 'version', 1, 'events', 1, 'tags', '[]'::json,
           'created_at', now(), 'updated_at', now()),
         '[]', user_id, now() - number * interval '1 second', now() + interval '30 days' - number * interval '1 second'
       FROM workspace_members, generate_series(1, $2::integer) number
       WHERE workspace_id = $1 AND role = 'owner' RETURNING id, deleted_by
     )
     INSERT INTO document_versions (document_id, kind, version, name, content, content_bytes, created_by, created_at)
     SELECT id, 'template', 1, 'A', '{}', 2, deleted_by, now() FROM trashed`,
    [workspaceId, count],
  );
  await database.query('VACUUM ANALYZE trashed_documents');
}
