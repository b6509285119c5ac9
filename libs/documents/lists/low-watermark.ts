/**
 * Makes it safe to read a list in ascending order of time: a client that has seen a row has not missed any earlier row.
 *
 * A change takes its time before its transaction commits, so a row with a later time may become visible first. A list
 * in ascending order of time therefore ends at a low watermark: every change that is not visible yet has a time at or
 * after the low watermark.
 *
 * Every change of templates and modules takes its time from the SQL function `time_of_change()`. That function first
 * takes a shared advisory lock. The lock conflicts with nothing, and its key is the time at which the transaction
 * began. The low watermark is the smallest key of all such locks that are held, or the time at which the reader's
 * transaction began, if that is earlier. No other lock is mistaken for such a lock: all other advisory locks with one
 * key are exclusive, and the shared locks of the queue in PostgreSQL have two keys, and therefore another `objsubid`.
 *
 * Why this is safe: consider a change that the list's statement does not see. The change's transaction had not ended
 * when that statement took its snapshot, and PostgreSQL releases a transaction's locks only after its changes have
 * become visible. There are two cases.
 * - The transaction held the lock when the low watermark was taken. The change's time is not before the key of the
 *   lock, and the low watermark is not after that key.
 * - The transaction took the lock after the low watermark was taken, and took the change's time after the lock. So the
 *   change's time is not before the beginning of the reader's transaction.
 *
 * In both cases the row is not below the low watermark.
 *
 * The snapshot must be taken after the low watermark, so there are two statements. All times come from PostgreSQL's
 * clock. If that clock is set back, by a step or a failover, later changes may have earlier times than rows that a
 * client has already seen, and the client misses these changes. All times are in whole milliseconds: the key and the
 * low watermark are truncated, and the columns are rounded, which keeps the order.
 *
 * pg_stat_activity also contains the time at which each transaction began, but hides it from other roles. Moreover, any
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

/** The low watermark, which `TAKE_LOW_WATERMARK` has stored earlier in the same transaction. */
export const LOW_WATERMARK = `current_setting('galley.low_watermark')::timestamptz`;
