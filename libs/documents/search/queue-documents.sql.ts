// If a document changes again within this time, its words are
// stored only once, for example for ten saves in five seconds.
const QUIET_MS = 650;
// However often a document changes, its words are stored after this time at the latest.
const MAX_WAIT_S = 10;

/**
 * SQL that queues documents for the worker, which stores their words
 * (`SearchIndexer`). ORDER BY keeps two transactions from a deadlock.
 * @param source a SELECT of `id`, `workspace_id` and `version`.
 */
export const queueDocuments = (source: string): string =>
  `INSERT INTO documents_to_index AS queued (document_id, workspace_id, version, due_at)
   SELECT id, workspace_id, version, clock_timestamp() + interval '${QUIET_MS} ms' FROM (${source}) source ORDER BY id
   ON CONFLICT (document_id) DO UPDATE SET version = excluded.version,
     due_at = least(excluded.due_at, queued.queued_at + interval '${MAX_WAIT_S} s')`;
