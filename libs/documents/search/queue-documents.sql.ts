// The words of a document are stored once for all changes that follow each other in this time: for ten saves in five
// seconds.
const QUIET_MS = 650;
// They are stored at the latest after this time, however often the document changes.
const MAX_WAIT_S = 10;

/**
 * SQL that tells the worker to store the words of documents (`SearchIndexer`).
 * @param source a SELECT of `id`, `workspace_id` and `version`, in the order of the ids, so that no two transactions deadlock.
 */
export const queueDocuments = (source: string): string =>
  `INSERT INTO documents_to_index AS queued (document_id, workspace_id, version, due_at)
   SELECT id, workspace_id, version, clock_timestamp() + interval '${QUIET_MS} ms' FROM (${source}) source
   ON CONFLICT (document_id) DO UPDATE SET version = excluded.version,
     due_at = least(excluded.due_at, queued.queued_at + interval '${MAX_WAIT_S} s')`;
