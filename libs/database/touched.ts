const after = (clock: string) => `greatest(${clock}, updated_at + interval '1 millisecond')`;

/**
 * What `updated_at` becomes with a change, in an UPDATE of one table. It never is the same twice, though
 * clocks go in milliseconds and may be set back: callers take it for the state of a resource.
 */
export const touched = after('clock_timestamp()');

/** The same for rows whose list can be read forward in time (`horizon.ts`). */
export const touchedInTime = after('time_of_change()');

/**
 * Whether a row is in a state that the caller has seen, for the statement that locks it. Who has seen
 * another one waits for nobody and keeps nobody waiting, since no state comes again.
 * @param times a parameter that is given `timesOf` a precondition.
 */
export const isAsSeen = (times: string): string =>
  `(${times}::timestamptz[] IS NULL OR updated_at = ANY (${times}))`;
