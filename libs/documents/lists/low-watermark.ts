/**
 * Makes it safe to poll a list in ascending order of time: a client that has seen a row has not missed any earlier row.
 *
 * The timestamp of a change is taken before its transaction commits, so a row with a later timestamp may become visible
 * first. A list in ascending order of time therefore ends at a low watermark. Every change that is not visible yet has
 * a timestamp at or after the low watermark.
 *
 * Every change of a template or module gets its timestamp from the SQL function `time_of_change()`. That function first
 * takes a shared advisory lock, whose key is the start time of the transaction. The lock conflicts with no other lock.
 * The low watermark is the smallest key among the locks of this kind that are held, or the start time of the reader's
 * transaction, whichever is earlier. No other lock can be mistaken for one of these locks: all other advisory locks
 * with one key are exclusive, and shared advisory locks with two keys, which a queue in the same database may hold,
 * have another `objsubid`.
 *
 * Proof: consider a change that the list's statement does not see. The change's transaction had not ended when that
 * statement took its snapshot, and PostgreSQL releases a transaction's locks only after its changes have become
 * visible. There are two cases.
 * - The transaction held the lock when the low watermark was taken. The change's timestamp is not before the key of the
 *   lock, and the low watermark is not after that key.
 * - The transaction took the lock after the low watermark was taken, and took the timestamp after the lock. The
 *   timestamp is therefore not before the start of the reader's transaction.
 *
 * In both cases, the change's timestamp is not below the low watermark.
 *
 * The snapshot must be taken after the low watermark, so there are two statements. All timestamps come from
 * PostgreSQL's clock. If that clock goes back, for example after a failover, later changes may have earlier timestamps
 * than rows that a client has already seen, and the client misses these changes. All timestamps are in whole
 * milliseconds. The key and the low watermark are truncated, and the columns are rounded, which preserves their order.
 *
 * Galley does not use the view `pg_stat_activity`, although the view contains the start time of each transaction. The
 * view hides these times from other roles. Moreover, every session that writes anything, or forgets to end its
 * transaction, would hold the lists back.
 */
export const TAKE_LOW_WATERMARK: [text: string, values: []] = [
  `SELECT set_config('galley.low_watermark', least(date_trunc('milliseconds', now()), (
     SELECT to_timestamp(min(key & ((1::bigint << 42) - 1)) / 1000.0)
     FROM (
       SELECT (classid::bigint << 32) | objid::bigint AS key FROM pg_locks
       WHERE locktype = 'advisory' AND objsubid = 1 AND mode = 'ShareLock'
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     ) lock
     WHERE key >> 42 = 1763683
   ))::text, true)`,
  [],
];

/** An SQL expression for the low watermark that `TAKE_LOW_WATERMARK` stored earlier in the same transaction. */
export const LOW_WATERMARK = `current_setting('galley.low_watermark')::timestamptz`;
