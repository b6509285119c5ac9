-- The statements of this lib as PostgreSQL gets them, for people to read. The tests of the API have run them.
-- Writes lock the rows that they change; "Locks" names all other locks. `npm run generate:queries` writes this file.

-- ACTIVATE_FIRST_KEY (libs/key-rotation/key-rotation.sql.ts)
-- Parameters: $1 text
-- Writes: Insert encryption_keys
INSERT INTO encryption_keys (id, state)
  SELECT CASE WHEN EXISTS (SELECT FROM encryption_keys) THEN $1 ELSE coalesce((
      SELECT substring(encrypted_secret FROM '^([0-9a-f]{8})\.') FROM webhook_endpoints
      ORDER BY id DESC LIMIT 1
    ), $1) END, 'active'
  WHERE NOT EXISTS (SELECT FROM encryption_keys WHERE state = 'active')
  ON CONFLICT (id) DO UPDATE SET state = 'active', changed_at = now();

-- BEAT (libs/key-rotation/key-rotation.sql.ts)
-- Parameters: $1 uuid, $2 text, $3 text[]
-- Writes: Update running_programs
WITH beat AS (
    UPDATE running_programs SET beats = beats + 1, seen_at = now(), active_key_id = $2
    WHERE id = $1 RETURNING id
  )
  SELECT EXISTS (SELECT FROM beat) AS "isRegistered",
    (SELECT id FROM encryption_keys WHERE state = 'active') AS "activeKeyId",
    ARRAY(
      SELECT id FROM encryption_keys WHERE state <> 'retired' AND id <> ALL ($3::text[]) ORDER BY id
    ) AS "missingKeyIds",
    (SELECT coalesce(json_agg(json_build_object(
        'id', id, 'beats', beats, 'firstKeyId', key_ids[1]
      )), '[]') FROM running_programs) AS programs;

-- CLOSE_OLD_KEYS (libs/key-rotation/key-rotation.sql.ts)
-- Writes: Update encryption_keys
UPDATE encryption_keys SET state = 'closed', changed_at = now()
  WHERE state = 'old' AND NOT EXISTS (
    SELECT FROM running_programs WHERE active_key_id IS DISTINCT FROM (
      SELECT id FROM encryption_keys WHERE state = 'active'
    )
  );

-- DEREGISTER (libs/key-rotation/key-rotation.sql.ts)
-- Parameters: $1 uuid
-- Writes: Delete running_programs
DELETE FROM running_programs WHERE id = $1;

-- LOCK_KEYS (libs/key-rotation/key-rotation.sql.ts)
-- Locks: pg_advisory_xact_lock
SELECT pg_advisory_xact_lock(hashtextextended('encryption keys', 0));

-- REGISTER (libs/key-rotation/key-rotation.sql.ts)
-- Parameters: $1 uuid, $2 text, $3 text, $4 text[]
-- Writes: Insert running_programs
INSERT INTO running_programs (id, program, host, key_ids, active_key_id)
  SELECT $1::uuid, $2, $3, $4::text[], id FROM encryption_keys
  WHERE state = 'active' AND NOT EXISTS (
    SELECT FROM encryption_keys WHERE state <> 'retired' AND id <> ALL ($4::text[])
  )
  ON CONFLICT (id) DO NOTHING;

-- SELECT_OLD_KEYS (libs/key-rotation/key-rotation.sql.ts)
SELECT id, state FROM encryption_keys WHERE state IN ('old', 'closed');

-- STORE_COUNTS (libs/key-rotation/key-rotation.sql.ts)
-- Parameters: $1 text[], $2 integer[], $3 text[]
-- Writes: Update encryption_keys
UPDATE encryption_keys SET webhooks = found.webhooks,
    state = CASE WHEN found.is_retired THEN 'retired' ELSE state END,
    changed_at = CASE WHEN found.is_retired THEN now() ELSE changed_at END
  FROM (
    SELECT key.id, coalesce(counted.webhooks, 0) AS webhooks,
      key.state = 'closed' AND key.id = ANY ($3::text[]) AND counted.id IS NULL AS is_retired
    FROM encryption_keys key
    LEFT JOIN unnest($1::text[], $2::integer[]) AS counted (id, webhooks) ON counted.id = key.id
  ) found
  WHERE found.id = encryption_keys.id;
