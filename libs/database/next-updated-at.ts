const laterThan = (clock: string) => `greatest(${clock}, updated_at + interval '1 millisecond')`;

/**
 * An SQL expression for the next value of `updated_at` in an UPDATE of one table. The entity tag of a resource is
 * derived from `updated_at`, so a resource must never get the same value twice, even though the values have millisecond
 * precision and clocks may be set back.
 */
export const nextUpdatedAt = laterThan('clock_timestamp()');

/**
 * The `nextUpdatedAt` of tables whose rows clients can list in the order of their changes
 * (`libs/documents/lists/low-watermark.ts`).
 */
export const nextUpdatedAtInOrder = laterThan('time_of_change()');

/**
 * An SQL condition for the statement that locks a row. The condition holds if the row is in a state that the caller has
 * seen. A caller with a stale entity tag neither takes the lock nor waits for it, because a row never returns to an
 * earlier state.
 * @param times a parameter whose value comes from `parsePrecondition`.
 */
export const matchesPrecondition = (times: string): string =>
  `(${times}::timestamptz[] IS NULL OR updated_at = ANY (${times}))`;
