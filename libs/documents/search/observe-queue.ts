import type { Database } from '#database';

const MAX_COUNTED = 10_000;
// Each workspace takes one index look-up.
const MAX_WORKSPACES = 1_000;

/** How far the search index lags behind changes. */
export interface SearchBacklog {
  /** The number of queued documents, at most `MAX_COUNTED`. */
  documents: number;
  /**
   * Time since the oldest queued document became due; 0 if none is due. Only the first `MAX_WORKSPACES` workspaces
   * count.
   */
  oldestDueAgeSeconds: number;
}

const SELECT_BACKLOG = `
  WITH RECURSIVE workspace AS (
    (SELECT workspace_id AS id FROM documents_to_index ORDER BY workspace_id LIMIT 1)
    UNION ALL
    SELECT next.id FROM workspace CROSS JOIN LATERAL (
      SELECT workspace_id AS id FROM documents_to_index
      WHERE workspace_id > workspace.id ORDER BY workspace_id LIMIT 1
    ) next
  )
  SELECT
    (SELECT count(*)::integer FROM (SELECT FROM documents_to_index LIMIT ${MAX_COUNTED}) waiting) AS documents,
    greatest(0, coalesce(extract(epoch FROM now() - min(due_at)), 0))::float8 AS "oldestDueAgeSeconds"
  FROM (SELECT id FROM workspace LIMIT ${MAX_WORKSPACES}) first CROSS JOIN LATERAL (
    SELECT due_at FROM documents_to_index WHERE workspace_id = first.id ORDER BY due_at LIMIT 1
  ) oldest`;

export async function observeSearchBacklog(database: Database): Promise<SearchBacklog> {
  const [backlog] = await database.query<SearchBacklog>(SELECT_BACKLOG);
  if (backlog === undefined) throw new Error('An aggregate returned no row.');
  return backlog;
}
