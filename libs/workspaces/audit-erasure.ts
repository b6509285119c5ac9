import { NIL_UUID, type Database } from '#database';

// A statement that scans this many entries takes about 10 ms. The entries have no index by user, because the index
// would slow down every write to the audit log.
const SCAN_CHUNK_SIZE = 5_000;

interface Chunk {
  last: string | null;
  changedEntries: number;
  workspaceIds: string[];
}

/**
 * Removes personal data of users from all entries of the audit log: their IP addresses, and the email addresses that
 * they were invited with.
 */
export async function eraseFromAuditLog(
  database: Database,
  userIds: readonly string[],
  emails: readonly string[],
): Promise<{ changedEntries: number; workspaceIds: Set<string> }> {
  let changedEntries = 0;
  const workspaceIds = new Set<string>();
  let after: string | null = NIL_UUID;
  while (after !== null) {
    const [chunk]: Chunk[] = await database.query<Chunk>(ERASE_CHUNK, [after, userIds, emails]);
    changedEntries += chunk?.changedEntries ?? 0;
    for (const id of chunk?.workspaceIds ?? []) workspaceIds.add(id);
    after = chunk?.last ?? null;
  }
  return { changedEntries, workspaceIds };
}

/** Scans entries after $1, and removes the IP addresses of the users $2 and the email addresses $3. */
const ERASE_CHUNK = `WITH scanned AS MATERIALIZED (
    SELECT id, (actor_id = ANY ($2::uuid[]) AND address IS NOT NULL) IS TRUE AS has_ip_address,
      (details->>'email' = ANY ($3::text[])) IS TRUE AS has_email
    FROM audit_entries WHERE id > $1 ORDER BY id LIMIT ${SCAN_CHUNK_SIZE}
  ), changed AS (
    UPDATE audit_entries entry SET
      address = CASE WHEN actor_id = ANY ($2) THEN NULL ELSE address END,
      details = CASE WHEN (details->>'email' = ANY ($3)) IS TRUE
        THEN (details::jsonb - 'email')::json ELSE details END
    WHERE id = ANY (ARRAY(SELECT id FROM scanned WHERE has_ip_address OR has_email))
    RETURNING workspace_id
  )
  SELECT (SELECT id FROM scanned ORDER BY id DESC LIMIT 1) AS last,
    (SELECT count(*)::integer FROM changed) AS "changedEntries",
    ARRAY(SELECT DISTINCT workspace_id FROM changed) AS "workspaceIds"`;
