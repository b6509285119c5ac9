import { matchesKind } from '../event-patterns.js';

/**
 * An SQL condition for the rows of the delivery log that a replay repeats. Excludes deliveries that were themselves
 * created by a replay or a redelivery.
 */
export const matchesReplayFilter = (
  log: string,
  filter: string,
): string => `(${filter}.events IS NULL
    OR ${matchesKind(`${filter}.events`, `${log}.kind`)})
  AND (${filter}.resource_id IS NULL OR ${log}.resource_id = ${filter}.resource_id)
  AND (${filter}.statuses IS NULL OR ${log}.status = ANY (${filter}.statuses))
  AND ${log}.replay_id IS NULL`;
