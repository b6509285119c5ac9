/**
 * Makes reading forward in time safe: whoever has seen a row never misses one that is before it.
 *
 * The time of a change is taken before its transaction commits, so that a later time may be seen
 * first. A list that goes forward therefore ends at a horizon, before which no change is still to
 * come. `time_of_change()`, with which every change of templates and modules takes its time, first
 * takes a shared lock, which conflicts with nothing; its key is when the transaction began. All other
 * advisory locks of one key are exclusive, so that their keys, which are hashes, are not taken for times;
 * the shared ones of the queue in PostgreSQL have two keys, and with these another `objsubid`.
 * The horizon is the least of those keys and of the reader's own beginning.
 *
 * Take a change that is not visible to the list's statement. Its transaction had not ended when that
 * statement took its snapshot, and PostgreSQL gives locks back only after what they were for can be
 * seen. So either the lock was there when the horizon was taken, just before: then the change's
 * time is not before the key, and the horizon is. Or the lock was taken later, and the time after
 * it: then the time is not before the reader's beginning. Either way the row is not below the horizon.
 *
 * The snapshot has to be taken after the horizon, hence two statements. All times are those of
 * PostgreSQL's clock; where that is set back, by a step or a fail-over, what follows may be before what
 * was seen. Milliseconds: both ends are cut, and the columns round, which keeps the order.
 *
 * Not pg_stat_activity, which knows when each transaction began: it hides that from other roles, and any
 * session that writes anything, or forgets to end, would hold the lists back.
 */
export const TAKE_HORIZON: [text: string, values: []] = [
  `SELECT set_config('galley.horizon', least(date_trunc('milliseconds', now()), (
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

/** What `TAKE_HORIZON`, a statement before in the same transaction, has found. */
export const HORIZON = `current_setting('galley.horizon')::timestamptz`;
