import { nextStepAt } from '#long-jobs';
import { queueIdleEndpoints } from '../../traffic/endpoint-traffic.js';
import { matchesReplayFilter } from './replay-filter.js';

// These two constants limit how many deliveries of a replay may wait for their first attempt. `MAX_UNTRIED` counts only
// deliveries that are due, so a new event waits behind at most `MAX_UNTRIED` replayed deliveries. `MAX_UNTRIED` equals
// the largest window. `MAX_WAITING` is higher, because it also counts deliveries that wait for an earlier delivery of
// their resource. Such deliveries do not delay new events. Deliveries that wait for a retry count towards neither
// limit.
const MAX_UNTRIED = 100;
const MAX_WAITING = 1_000;
// Maximum number of log rows that one statement reads, whether they match or not.
const MAX_SCANNED = 5_000;

/**
 * Runs one step of the replay $1: repeats the next deliveries in the log as new deliveries. $2 is the number of days
 * for which events are kept.
 *
 * - Locks: the row of the replay. If another worker has locked the row, the statement does nothing. `LOCK_TRAFFIC` runs
 *   before this statement in the same transaction.
 * - Writes: new deliveries, the progress of the replay, the traffic of its endpoint.
 * - Returns: the endpoint, if the caller must put it into the queue.
 *
 * CTEs:
 *
 * - `capacity`: how many deliveries this step may create.
 * - `scanned`, `matched`, `chosen`: narrow the rows of the log down to the deliveries to repeat.
 * - `step`: how many deliveries this step repeats, whether more deliveries match than `capacity` allows, and whether
 *   the step has reached the end of the log.
 * - `inserted`, `progress`, `queued`: the writes.
 */
export const STEP_REPLAY = `WITH replay AS (
    SELECT * FROM webhook_replays WHERE id = $1 AND status = 'running' AND next_step_at <= now()
    FOR UPDATE SKIP LOCKED
  ), capacity AS (
    SELECT least(${MAX_UNTRIED} - count(*) FILTER (WHERE due_at < 'infinity'),
      ${MAX_WAITING} - count(*)) AS size
    FROM webhook_deliveries WHERE replay_id = $1 AND attempts = 0
  ), scanned AS (
    SELECT log.*, ${matchesReplayFilter('log', 'replay')}
      AND log.finished_at <= replay.created_at
      AND log.event_relayed_at > now() - $2 * interval '1 day' AS matches
    FROM replay CROSS JOIN capacity CROSS JOIN LATERAL (
      SELECT * FROM webhook_delivery_log log WHERE log.endpoint_id = replay.endpoint_id
        AND log.id > replay.reached AND log.id < replay.end_id
      ORDER BY log.id LIMIT CASE WHEN capacity.size > 0 THEN ${MAX_SCANNED} ELSE 0 END
    ) log
  ), matched AS (
    SELECT *, row_number() OVER (ORDER BY id) AS rank FROM scanned WHERE matches
  ), chosen AS (
    SELECT * FROM matched WHERE rank <= (SELECT size FROM capacity)
  ), step AS (
    SELECT (SELECT count(*) FROM chosen) AS done,
      capacity.size <= 0 OR (SELECT count(*) FROM matched) > capacity.size AS is_full,
      (SELECT count(*) FROM scanned) < ${MAX_SCANNED} AS is_end
    FROM replay CROSS JOIN capacity
  ), inserted AS (
    INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
      event_relayed_at, event_id, kind, resource_id, sequence, due_at, replay_id, is_ordered)
    SELECT endpoint_id, uuidv7_at(now()), workspace_id, event_position, event_relayed_at, event_id,
      kind, resource_id, sequence, now(), $1,
      (SELECT ordered FROM webhook_endpoints WHERE id = chosen.endpoint_id)
    FROM chosen
  ), progress AS (
    UPDATE webhook_replays replay SET done = replay.done + step.done,
      reached = coalesce(CASE WHEN step.is_full
        THEN (SELECT id FROM chosen ORDER BY id DESC LIMIT 1)
        ELSE (SELECT id FROM scanned ORDER BY id DESC LIMIT 1) END, replay.reached),
      status = CASE WHEN step.is_end AND NOT step.is_full THEN 'done' ELSE 'running' END,
      finished_at = CASE WHEN step.is_end AND NOT step.is_full THEN now() END,
      stalls = CASE WHEN step.is_full AND step.done = 0 THEN stalls + 1 ELSE 0 END,
      next_step_at = ${nextStepAt('step.is_full AND step.done = 0')}
    FROM step WHERE replay.id = $1
  ), queued AS (${queueIdleEndpoints('SELECT endpoint_id FROM chosen')})
  SELECT endpoint_id AS "endpointId", health,
    (SELECT workspace_id FROM chosen LIMIT 1) AS "workspaceId"
  FROM queued`;
