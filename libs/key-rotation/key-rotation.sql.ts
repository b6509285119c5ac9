/*
 * The statements of `KeyRotation`. They use no clock: a program counts as ended when other programs have seen that it
 * no longer reports.
 */

export interface RotationState {
  /** Whether PostgreSQL counts this program as running. */
  isRegistered: boolean;
  activeKeyId: string | null;
  /** The keys that this program lacks, although stored values may need them. */
  missingKeyIds: string[];
  /** All programs that PostgreSQL counts as running. */
  programs: { id: string; beats: number; firstKeyId: string }[];
}

/**
 * Registrations and promotions take this lock, so that they exclude each other. Every registered program therefore
 * knows the active key, and a key becomes active only if all registered programs know it. The next statement of the
 * transaction sees what was committed during the wait for the lock.
 */
export const LOCK_KEYS = `SELECT pg_advisory_xact_lock(hashtextextended('encryption keys', 0))`;

/**
 * Makes a key active if no key is active. Normally, this is the first key of the program ($1). On an upgrade from a
 * release without this table, it is the key of the newest secret.
 */
export const ACTIVATE_FIRST_KEY = `INSERT INTO encryption_keys (id, state)
  SELECT CASE WHEN EXISTS (SELECT FROM encryption_keys) THEN $1 ELSE coalesce((
      SELECT substring(encrypted_secret FROM '^([0-9a-f]{8})\\.') FROM webhook_endpoints
      ORDER BY id DESC LIMIT 1
    ), $1) END, 'active'
  WHERE NOT EXISTS (SELECT FROM encryption_keys WHERE state = 'active')
  ON CONFLICT (id) DO UPDATE SET state = 'active', changed_at = now()`;

/** Registers the program $1 with the keys $4, unless the program lacks a key that stored values may need. */
export const REGISTER = `INSERT INTO running_programs (id, program, host, key_ids, active_key_id)
  SELECT $1::uuid, $2, $3, $4::text[], id FROM encryption_keys
  WHERE state = 'active' AND NOT EXISTS (
    SELECT FROM encryption_keys WHERE state <> 'retired' AND id <> ALL ($4::text[])
  )
  ON CONFLICT (id) DO NOTHING`;

/**
 * Reports that the program $1 is running and encrypts with the key $2. Returns the `RotationState` of the program,
 * which has the keys $3.
 */
export const BEAT = `WITH beat AS (
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
      )), '[]') FROM running_programs) AS programs`;

/** Removes the program $1, unless it has reported again since its report number $2. */
export const REMOVE_ENDED = 'DELETE FROM running_programs WHERE id = $1 AND beats = $2';
export const DEREGISTER = 'DELETE FROM running_programs WHERE id = $1';

/**
 * The first half of a promotion of the key $1: makes the active key old. Changes nothing unless the program $2 is
 * registered and $1 is the first key of all registered programs.
 */
export const DEMOTE = `UPDATE encryption_keys SET state = 'old', changed_at = now()
  WHERE state = 'active' AND id <> $1
    AND NOT EXISTS (SELECT FROM running_programs WHERE key_ids[1] <> $1)
    AND EXISTS (SELECT FROM running_programs WHERE id = $2)`;
/** The second half of a promotion: makes the key $1 active, unless another key is still active. */
export const PROMOTE = `INSERT INTO encryption_keys (id, state)
  SELECT $1, 'active' WHERE NOT EXISTS (SELECT FROM encryption_keys WHERE state = 'active')
  ON CONFLICT (id) DO UPDATE SET state = 'active', changed_at = now()
  RETURNING id`;

/**
 * Closes the old keys once all programs encrypt with the active key: from then on, PostgreSQL rejects new values that
 * are encrypted with an old key. Waits for transactions that are storing such a value.
 */
export const CLOSE_OLD_KEYS = `UPDATE encryption_keys SET state = 'closed', changed_at = now()
  WHERE state = 'old' AND NOT EXISTS (
    SELECT FROM running_programs WHERE active_key_id IS DISTINCT FROM (
      SELECT id FROM encryption_keys WHERE state = 'active'
    )
  )`;
export const SELECT_OLD_KEYS = `SELECT id, state FROM encryption_keys WHERE state IN ('old', 'closed')`;

/**
 * Stores how many webhooks need each key: $2 contains the counts of the keys $1. Retires each key of $3 that no webhook
 * needs. The keys $3 must have been closed before the count began.
 */
export const STORE_COUNTS = `UPDATE encryption_keys SET webhooks = found.webhooks,
    state = CASE WHEN found.is_retired THEN 'retired' ELSE state END,
    changed_at = CASE WHEN found.is_retired THEN now() ELSE changed_at END
  FROM (
    SELECT key.id, coalesce(counted.webhooks, 0) AS webhooks,
      key.state = 'closed' AND key.id = ANY ($3::text[]) AND counted.id IS NULL AS is_retired
    FROM encryption_keys key
    LEFT JOIN unnest($1::text[], $2::integer[]) AS counted (id, webhooks) ON counted.id = key.id
  ) found
  WHERE found.id = encryption_keys.id`;

export const SELECT_KEYS = `SELECT id, state, webhooks,
    extract(epoch FROM now() - changed_at)::float8 AS "changedSecondsAgo"
  FROM encryption_keys ORDER BY id`;
export const SELECT_PROGRAMS = `SELECT program, host, key_ids AS "keyIds" FROM running_programs ORDER BY program, host`;
