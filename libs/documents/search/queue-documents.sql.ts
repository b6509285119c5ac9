// A document is indexed once it has not changed for this long. For example, ten saves in five seconds are indexed once.
const QUIET_MS = 650;
// A document becomes due after at most this time, however often it changes.
const MAX_WAIT_S = 10;

/**
 * SQL that queues documents for `SearchIndexer`. ORDER BY prevents deadlocks between transactions.
 * @param source a SELECT of `id`, `workspace_id` and `version`.
 */
export const queueDocuments = (source: string): string =>
  `INSERT INTO documents_to_index AS queued (document_id, workspace_id, version, due_at)
   SELECT id, workspace_id, version, clock_timestamp() + interval '${QUIET_MS} ms' FROM (${source}) source ORDER BY id
   ON CONFLICT (document_id) DO UPDATE SET version = excluded.version,
     due_at = least(excluded.due_at, queued.queued_at + interval '${MAX_WAIT_S} s')`;
