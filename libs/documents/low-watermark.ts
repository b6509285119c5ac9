/**
 * Makes reading forward in time safe: a client that has seen a row never misses a row before it.
 *
 * The time of a change is taken before its transaction commits, so a row with a later time may become
 * visible first. A list that goes forward in time therefore ends at a low watermark: no change that is
 * still to commit has a time before it. `time_of_change()`, from which every change of templates and modules
 * takes its time, first takes a shared advisory lock, which conflicts with nothing. The key of that lock is
 * the time at which the transaction began. All other advisory locks with one key are exclusive, so that
 * their keys, which are hashes, are not mistaken for times. The shared locks of the queue in PostgreSQL have
 * two keys, and with these another `objsubid`.
 * The low watermark is the least of those keys and of the time at which the reader's transaction began.
 *
 * Consider a change that is not visible to the list's statement. Its transaction had not ended when that
 * statement took its snapshot, and PostgreSQL releases a transaction's locks only after its changes have
 * become visible. Either the lock was held when the low watermark was taken, just before: then the change's
 * time is not before the key, and so not before the low watermark. Or the lock was taken later, and the time
 * after it: then the time is not before the beginning of the reader's transaction. In both cases the row is
 * not below the low watermark.
 *
 * The snapshot has to be taken after the low watermark, so there are two statements. All times are those of
 * PostgreSQL's clock. If that clock is set back, by a step or a fail-over, later changes may have times
 * before those of rows that a client has seen. Milliseconds: both ends are truncated, and the columns
 * round, which keeps the order.
 *
 * Not pg_stat_activity, which knows when each transaction began: it hides that from other roles, and any
 * session that writes anything, or forgets to end its transaction, would hold the lists back.
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

/** The low watermark that `TAKE_LOW_WATERMARK`, an earlier statement of the same transaction, has found. */
export const LOW_WATERMARK = `current_setting('galley.low_watermark')::timestamptz`;
