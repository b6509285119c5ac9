-- The statements of this lib as PostgreSQL gets them, for people to read. The tests of the API have run them.
-- Writes lock the rows that they change; "Locks" names all other locks. `npm run generate:queries` writes this file.

-- SELECT_SERVER_STATE (libs/database/completeness/server-state.ts)
-- Parameters: $1 text, $2 bigint
SELECT
    coalesce((SELECT name FROM migrations ORDER BY timestamp DESC LIMIT 1), 'none') AS "latestMigration",
    NOT EXISTS (SELECT FROM migrations WHERE name = $1) AS "isPending",
    EXISTS (SELECT FROM migrations WHERE timestamp < $2) AS "isEarlier",
    current_setting('transaction_read_only') = 'on' AS "isReadOnly",
    extract(epoch FROM clock_timestamp())::float8 AS time;

-- SELECT_RESTORE (libs/database/completeness/unfinished-restore.ts)
SELECT to_regclass('unfinished_restore') IS NOT NULL AS "isUnfinished",
  to_regclass('documents') IS NOT NULL AS "hasData";

-- LOAD_STORED_RESPONSE (libs/database/idempotency-keys.ts)
-- Parameters: $1 uuid, $2 text, $3 bytea
SELECT caller.status = 'active' AS "isCallerActive",
    stored.fingerprint = $3 AS "isSameRequest", stored.status, stored.headers,
    present."hasWorkspaces", present."hasRoles",
    CASE WHEN stored.fingerprint = $3 AND present."hasRoles" THEN stored.encrypted_body END AS body
  FROM users caller
  LEFT JOIN LATERAL (
    SELECT * FROM idempotency_keys WHERE user_id = caller.id AND key = $2 LIMIT 1
  ) stored ON stored.created_at > now() - interval '24 hours'
  CROSS JOIN LATERAL (
    SELECT bool_and(workspace.id IS NOT NULL) AS "hasWorkspaces",
      bool_and(coalesce(member.role = ANY (needed.roles), false)) AS "hasRoles"
    FROM json_to_recordset(stored.rights) AS needed ("workspaceId" uuid, roles text[])
    LEFT JOIN workspaces workspace ON workspace.id = needed."workspaceId"
    LEFT JOIN workspace_members member
      ON member.workspace_id = workspace.id AND member.user_id = caller.id
  ) present
  WHERE caller.id = $1;

-- buildStoreStatement (libs/database/idempotency-keys.ts)
-- Parameters: $1 uuid, $2 text, $3 bytea, $4 smallint, $5 json, $6 bytea, $7 json
-- Writes: Insert idempotency_keys
INSERT INTO idempotency_keys (user_id, key, fingerprint, status, headers, encrypted_body, rights)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (user_id, key) DO UPDATE SET fingerprint = EXCLUDED.fingerprint,
         status = EXCLUDED.status, headers = EXCLUDED.headers,
         encrypted_body = EXCLUDED.encrypted_body, created_at = EXCLUDED.created_at,
         rights = EXCLUDED.rights;

-- deleteExpired (libs/database/idempotency-keys.ts)
-- Writes: Delete idempotency_keys
-- Locks: idempotency_keys FOR UPDATE SKIP LOCKED
DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM idempotency_keys WHERE created_at < now() - interval '24 hours'
           LIMIT 200 FOR UPDATE SKIP LOCKED
         ))
         RETURNING 1;

-- ACQUIRE (libs/database/lease.ts)
-- Parameters: $1 text, $2 uuid, $3 double precision
-- Writes: Insert leases
INSERT INTO leases AS lease (name, holder, expires_at)
  VALUES ($1, $2, now() + $3 * interval '1 second')
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
    WHERE lease.holder = excluded.holder OR lease.expires_at <= now()
  RETURNING name;

-- RELEASE (libs/database/lease.ts)
-- Parameters: $1 text, $2 uuid
-- Writes: Delete leases
DELETE FROM leases WHERE name = $1 AND holder = $2;

-- insertEvents (libs/database/outbox.ts)
-- Parameters: $1 uuid[], $2 text[], $3 uuid[], $4 uuid[], $5 integer[], $6 json[], $7 uuid[], $8 text[]
-- Writes: Insert outbox
INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data, endpoint_id,
       traceparent)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::integer[], $6::json[], $7::uuid[],
       $8::text[]);

-- storeEvents (libs/database/unit-of-work.ts)
-- Parameters: $1 text
SELECT set_config('galley.no_event', $1, true);
