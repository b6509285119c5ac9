import { NIL_UUID, type Query } from '#database';

// Counting one chunk takes about 20 ms.
const CHUNK_SIZE = 5_000;

/**
 * Counts the endpoints that need each encryption key, by key id. An endpoint needs a key if the endpoint's secret, a
 * previous secret or the custom headers are encrypted with the key. Stops at `deadline` (Unix time in milliseconds),
 * even if some endpoints were not counted.
 */
export async function countSecretsByKey(
  query: Query,
  deadline: number,
): Promise<{ counts: Map<string, number>; isComplete: boolean }> {
  const counts = new Map<string, number>();
  let after = NIL_UUID;
  while (Date.now() < deadline) {
    const rows = await query<{ last: string; size: number; keyId: string; count: number }>(
      COUNT_CHUNK,
      [after],
    );
    for (const { keyId, count } of rows) counts.set(keyId, (counts.get(keyId) ?? 0) + count);
    const [first] = rows;
    if (first === undefined || first.size < CHUNK_SIZE) return { counts, isComplete: true };
    after = first.last;
  }
  return { counts, isComplete: false };
}

// PostgreSQL has max() for UUIDs only from version 18, so ORDER BY finds the last id.
const COUNT_CHUNK = `
  WITH chunk AS (
    SELECT id, concat_ws(' ', encrypted_secret, encrypted_headers, earlier_secrets::text) AS encrypted
    FROM webhook_endpoints WHERE id > $1 ORDER BY id LIMIT ${CHUNK_SIZE}
  )
  SELECT (SELECT id FROM chunk ORDER BY id DESC LIMIT 1) AS last,
    (SELECT count(*)::integer FROM chunk) AS size, found.key_id AS "keyId", count(*)::integer AS count
  FROM chunk, LATERAL (
    SELECT DISTINCT match[2] AS key_id
    FROM regexp_matches(encrypted, '(^|[ "])([0-9a-f]{8})\\.', 'g') AS match
  ) found
  GROUP BY found.key_id`;
