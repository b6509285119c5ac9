import { matchesKind } from '../event-patterns.js';

/** SQL: whether a replay repeats a row of the delivery log. Deliveries that a replay has created are not repeated. */
export const matchesReplayFilter = (
  log: string,
  filter: string,
): string => `(${filter}.events IS NULL
    OR ${matchesKind(`${filter}.events`, `${log}.kind`)})
  AND (${filter}.resource_id IS NULL OR ${log}.resource_id = ${filter}.resource_id)
  AND (${filter}.statuses IS NULL OR ${log}.status = ANY (${filter}.statuses))
  AND ${log}.replay_id IS NULL`;
