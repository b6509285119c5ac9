import {
  updateTrafficAfterAttempts,
  SELECT_ENDPOINT_UPDATES,
} from '../traffic/window-and-breaker.sql.js';
import { releaseNextOrdered } from './ordered-deliveries.js';

/**
 * Records how attempts ended, and what follows for their deliveries and endpoints. The parameters are
 * arrays, one element for each attempt, in the order of the columns of `input`.
 *
 * - Locks: nothing by itself; `LOCK_TRAFFIC` comes before it in the same transaction.
 * - Writes: the attempts; deliveries that are over move to the log, the others get their next due time; the
 *   traffic of the endpoints.
 * - Returns: the endpoints that are to be claimed from again, or whose status changes.
 *
 * An attempt that is recorded already counts no second time: after a lost connection each attempt of a chunk
 * is recorded again by itself, and the lost statement may have committed. If the worker's lease has expired,
 * `is_latest` is false: its failure changes no delivery, its success does, since the receiver has the event.
 *
 * inserted, attempt: the new attempts, with the delivery of each. tally: their sum for each endpoint.
 * finished, released, logged, postponed: the writes to deliveries and their log.
 */
export const RECORD_ATTEMPTS = `WITH input AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::text[], $5::timestamptz[],
      $6::integer[], $7::integer[], $8::text[], $9::text[], $10::json[], $11::json[], $12::text[],
      $13::integer[], $14::integer[], $15::text[]) AS input (endpoint_id, delivery_id, claim,
      status, started_at, duration_ms, status_code, stage, error, request_headers,
      response_headers, response_body, retry_in, retry_after, url)
  ), inserted AS (
    INSERT INTO webhook_attempts (delivery_id, claim, started_at, duration_ms, status_code, stage,
      error, request_headers, response_headers, response_body, url)
    SELECT delivery_id, claim, started_at, duration_ms, status_code, stage, error, request_headers,
      response_headers, response_body, url FROM input
    ON CONFLICT DO NOTHING
    RETURNING delivery_id
  ), attempt AS (
    SELECT input.endpoint_id, input.delivery_id, input.status, input.retry_in, input.retry_after,
      -- If an event is no longer kept, the receiver is not to blame.
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
    SELECT finished.endpoint_id, id, workspace_id, event_position, event_relayed_at, event_id,
      kind, resource_id, sequence, attempt.status, attempts + 1, replay_id
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
      max(retry_after) * interval '1 millisecond' AS retry_after
    FROM attempt GROUP BY endpoint_id
  ), ${updateTrafficAfterAttempts('tally', 'released')}
  ${SELECT_ENDPOINT_UPDATES}`;
