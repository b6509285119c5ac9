/**
 * What `updated_at` becomes with a change, in an UPDATE of one table. It never is the same twice, though
 * clocks go in milliseconds and may be set back: callers take it for the state of a resource.
 */
export const touched = `greatest(clock_timestamp(), updated_at + interval '1 millisecond')`;
