// The words of a document are stored once for all changes that follow each other in this time: for ten saves in five
// seconds.
const QUIET_MS = 650;
// They are stored at the latest after this time, however often the document changes.
const MAX_WAIT_S = 10;

/**
 * SQL that tells the worker to store the words of documents (`SearchIndexer`).
 * The order keeps two transactions from a deadlock.
 * @param source a SELECT of `id`, `workspace_id` and `version`.
 */
export const queueDocuments = (source: string): string =>
  `INSERT INTO documents_to_index AS queued (document_id, workspace_id, version, due_at)
   SELECT id, workspace_id, version, clock_timestamp() + interval '${QUIET_MS} ms' FROM (${source}) source ORDER BY id
   ON CONFLICT (document_id) DO UPDATE SET version = excluded.version,
     due_at = least(excluded.due_at, queued.queued_at + interval '${MAX_WAIT_S} s')`;
