import {
  updateTrafficAfterAttempts,
  SELECT_ENDPOINT_UPDATES,
} from '../traffic/window-and-breaker.sql.js';
import { countAttempts } from '../statistics/count-attempts.sql.js';
import { releaseNextOrdered } from '../delivery/ordered-deliveries.js';

/**
 * Records the results of attempts, and the consequences for their deliveries and endpoints. The parameters are the
 * columns of `input`: arrays with one element for each attempt.
 *
 * - Locks: rows of `webhook_statistics`, in the order of their ids, so that two statements cannot deadlock.
 *   `LOCK_TRAFFIC` runs before this statement in the same transaction.
 * - Writes: inserts the attempts; moves finished deliveries to the log, and gives the other deliveries their next due
 *   time; updates the traffic of the endpoints; adds to the statistics of the endpoints and their workspaces.
 * - Returns: the endpoints that go into the queue again, or whose status changes.
 *
 * An attempt may arrive a second time. After a lost connection, the attempts of a chunk are recorded again one by one,
 * although the first statement may have committed. `inserted` leaves such attempts out, so they are not counted again.
 *
 * `is_latest` is false if the delivery has been claimed again since the claim of the attempt. In that case, a failure
 * only increases the number of attempts. A success still finishes the delivery, because the receiver has the event.
 *
 * CTEs:
 *
 * - `inserted`, `attempt`: the new attempts, with the delivery of each.
 * - `tally`: the counts of new attempts for each endpoint.
 * - `finished`, `released`, `logged`, `postponed`: the writes to deliveries and their log.
 * - `statistics`: adds the attempts to the statistics.
 */
export const RECORD_ATTEMPTS = `WITH input AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::text[], $5::timestamptz[],
      $6::integer[], $7::integer[], $8::text[], $9::text[], $10::json[], $11::json[], $12::text[],
      $13::integer[], $14::integer[], $15::text[], $16::uuid[]) AS input (endpoint_id, delivery_id,
      claim, status, started_at, duration_ms, status_code, stage, error, request_headers,
      response_headers, response_body, retry_in, retry_after, url, workspace_id)
  ), inserted AS (
    INSERT INTO webhook_attempts (delivery_id, claim, started_at, duration_ms, status_code, stage,
      error, request_headers, response_headers, response_body, url)
    SELECT delivery_id, claim, started_at, duration_ms, status_code, stage, error, request_headers,
      response_headers, response_body, url FROM input
    ON CONFLICT DO NOTHING
    RETURNING delivery_id
  ), attempt AS (
    SELECT input.endpoint_id, input.workspace_id, input.delivery_id, input.claim, input.status,
      input.stage, input.duration_ms, input.retry_in, input.retry_after,
      -- The stage 'event' means that the event is no longer kept, which is not a failure of the receiver.
      input.status <> 'delivered' AND input.stage IS DISTINCT FROM 'event' AS is_failure,
      delivery.row, delivery.row IS NULL AS is_over, delivery.claims = input.claim AS is_latest,
      input.status = 'delivered' OR (input.status = 'failed' AND delivery.claims = input.claim)
        AS is_last
    FROM input JOIN inserted ON inserted.delivery_id = input.delivery_id
    LEFT JOIN LATERAL (
      SELECT ctid AS row, claims FROM webhook_deliveries
      WHERE endpoint_id = input.endpoint_id AND id = input.delivery_id LIMIT 1
    ) delivery ON true
  ), finished AS (
    DELETE FROM webhook_deliveries
    WHERE ctid = ANY (ARRAY(SELECT row FROM attempt WHERE is_last))
    RETURNING *
  ), released AS (
    ${releaseNextOrdered('finished')}
  ), logged AS (
    INSERT INTO webhook_delivery_log (endpoint_id, id, workspace_id, event_position,
      event_relayed_at, event_id, kind, resource_id, sequence, status, attempts, replay_id)
    SELECT finished.endpoint_id, id, finished.workspace_id, event_position, event_relayed_at,
      event_id, kind, resource_id, sequence, attempt.status, attempts + 1, replay_id
    FROM finished JOIN attempt ON attempt.delivery_id = finished.id
  ), postponed AS (
    UPDATE webhook_deliveries delivery SET attempts = attempts + 1, (due_at, claimed_until) = (
      SELECT CASE WHEN is_latest THEN now() + retry_in * interval '1 millisecond'
          ELSE delivery.due_at END,
        CASE WHEN is_latest THEN NULL ELSE delivery.claimed_until END
      FROM attempt WHERE attempt.delivery_id = delivery.id
    )
    WHERE ctid = ANY (ARRAY(SELECT row FROM attempt WHERE NOT is_last))
  ), tally AS (
    SELECT endpoint_id, count(*) FILTER (WHERE is_over OR is_latest) AS ended,
      count(*) FILTER (WHERE status = 'delivered') AS successes,
      count(*) FILTER (WHERE is_failure) AS failures,
      min(retry_in) * interval '1 millisecond' AS retry_in,
      max(retry_after) * interval '1 millisecond' AS retry_after,
      -- Attempts that are recorded together ended at about the same time, so any failed attempt can stand
      -- for the last one.
      (array_agg(delivery_id) FILTER (WHERE status <> 'delivered'))[1] AS failed_delivery_id,
      (array_agg(claim) FILTER (WHERE status <> 'delivered'))[1] AS failed_claim
    FROM attempt GROUP BY endpoint_id
  ), statistics AS (
    ${countAttempts('attempt')}
  ), ${updateTrafficAfterAttempts('tally', 'released')}
  ${SELECT_ENDPOINT_UPDATES}`;
