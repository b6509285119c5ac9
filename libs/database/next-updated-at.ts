const laterThan = (clock: string) => `greatest(${clock}, updated_at + interval '1 millisecond')`;

/**
 * The next value of `updated_at`, in an UPDATE of one table. The value never repeats, although clocks count
 * in milliseconds and may be set back: a resource's entity tag is made from it.
 */
export const nextUpdatedAt = laterThan('clock_timestamp()');

/** The same for tables whose lists can be read forward in time (`libs/documents/low-watermark.ts`). */
export const nextUpdatedAtInOrder = laterThan('time_of_change()');

/**
 * Whether a row is in a state that the caller has seen, for the statement that locks the row. A caller
 * with a stale entity tag neither takes the lock nor waits for it: a row never returns to an earlier state.
 * @param times a parameter whose value is `timesOf` a precondition.
 */
export const matchesPrecondition = (times: string): string =>
  `(${times}::timestamptz[] IS NULL OR updated_at = ANY (${times}))`;
