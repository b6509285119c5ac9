import {
  selectClaimAllowance,
  LEASE,
  paceResumesAt,
  updateTrafficAfterClaim,
} from '../traffic/claim-allowance.sql.js';
import { MAX_WINDOW } from '../traffic/endpoint-traffic.js';

/**
 * Claims due deliveries of the endpoints in $1. For each endpoint, $2 contains the maximum number of deliveries to
 * claim.
 *
 * - Locks: nothing by itself; `LOCK_TRAFFIC` runs before this statement in the same transaction.
 * - Writes: each claimed delivery gets a lease, and its fencing token `claims` is incremented. Deliveries that wait for
 *   an earlier delivery of their resource become due at 'infinity'. The traffic of the endpoints is updated.
 * - Returns: one row for each claimed delivery. An endpoint without a claimed delivery has one row, whose `id` is NULL.
 *
 * CTEs:
 *
 * - `plan`: how many deliveries may be claimed, which ones, and which of them have to wait for an earlier delivery.
 * - `expired`: clears expired leases of deliveries that this statement does not claim.
 * - `blocked`, `claimed`, `traffic`: the other writes.
 */
export const CLAIM_DELIVERIES = `WITH allowance AS (${selectClaimAllowance('$1', '$2')}
  ), plan AS (
    SELECT allowance.*, due.rows, due.blocked, due.rows <> '{}' AS claims_some,
      in_flight_before + due.fresh AS in_flight_after,
      -- Whether more deliveries are due and may be sent now. Either the worker's free slots have limited the
      -- claim, and not the window or the rate. Or the claim has read blocked deliveries, and the window has
      -- room for others.
      due.has_more AND (
        claimable = claim_limit AND in_flight_before + claimable < window_size
        OR due.blocked IS NOT NULL AND claimable > 0
          AND in_flight_before + due.fresh < window_size
      ) AS has_more,
      is_draining AND due.has_more AND due.oldest < status_since AS still_draining,
      paced_until + coalesce(cardinality(due.rows) * interval '1 second' / per_second,
        interval '0') AS next_paced_until,
      due.has_more AND claimable < capacity AS is_paced
    FROM allowance
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(row) FILTER (WHERE rank <= claimable AND is_first), '{}') AS rows,
        array_agg(row) FILTER (WHERE NOT is_first) AS blocked,
        count(*) FILTER (WHERE rank <= claimable AND is_first AND is_fresh) AS fresh,
        count(*) > claimable AS has_more, min(due_at) AS oldest
      FROM (
        SELECT ctid AS row, due_at, delivery.claimed_until IS NULL OR is_lease_lost AS is_fresh,
          row_number() OVER (ORDER BY due_at) AS rank,
          NOT (is_ordered AND allowance.ordered) OR NOT EXISTS (
            SELECT FROM webhook_deliveries earlier
            WHERE earlier.endpoint_id = delivery.endpoint_id AND earlier.is_ordered
              AND earlier.resource_id = delivery.resource_id
              AND earlier.event_position < delivery.event_position
          ) AS is_first
        FROM webhook_deliveries delivery
        WHERE endpoint_id = allowance.endpoint_id AND due_at > '-infinity' AND due_at <= now()
          AND (delivery.claimed_until IS NULL OR delivery.claimed_until <= now())
        ORDER BY due_at LIMIT claimable + 1
      ) delivery
    ) due
  ), expired AS (
    -- If all leases of an endpoint have expired, its traffic no longer counts these deliveries as in flight.
    -- Without a lease, a delivery is counted again when it is claimed. Deliveries with an expired lease have
    -- been due longest, so the LIMIT includes them.
    UPDATE webhook_deliveries SET claimed_until = NULL WHERE ctid = ANY (ARRAY(
      SELECT delivery.ctid FROM plan CROSS JOIN LATERAL (
        SELECT ctid, claimed_until FROM webhook_deliveries
        WHERE endpoint_id = plan.endpoint_id AND due_at > '-infinity' AND due_at <= now()
        ORDER BY due_at LIMIT ${2 * MAX_WINDOW}
      ) delivery
      WHERE plan.is_lease_lost AND delivery.claimed_until <= now()
        AND delivery.ctid <> ALL (plan.rows || plan.blocked)
    ))
  ), blocked AS (
    -- A blocked delivery is due at 'infinity' until the earlier delivery has finished. Otherwise, each claim
    -- would read the blocked delivery again.
    UPDATE webhook_deliveries SET due_at = 'infinity'
    WHERE ctid = ANY (ARRAY(SELECT unnest(blocked) FROM plan))
  ), claimed AS (
    UPDATE webhook_deliveries
    SET claims = claims + 1, claimed_until = now() + interval '${LEASE}'
    WHERE ctid = ANY (ARRAY(SELECT unnest(rows) FROM plan))
    RETURNING *
  ), traffic AS (${updateTrafficAfterClaim('plan')}
  )
  SELECT plan.endpoint_id AS "endpointId", plan.has_more AS "hasMore",
    CASE WHEN plan.is_paced THEN
      extract(epoch FROM ${paceResumesAt('plan')} - now())::float8 * 1000
    END AS "pausedForMs", delivery.*
  FROM plan LEFT JOIN LATERAL (
    SELECT claimed.id, claimed.claims AS "claimNumber", claimed.attempts,
      claimed.workspace_id AS "workspaceId", endpoint.url,
      endpoint.encrypted_secret AS "encryptedSecret", endpoint.earlier_secrets AS "previousSecrets",
      endpoint.encrypted_headers AS "encryptedHeaders",
      endpoint.workspace_deleted_at IS NOT NULL AS "isWorkspaceDeleted",
      claimed.replay_id IS NOT NULL AS "isReplay",
      claimed.event_id AS "eventId", claimed.kind, claimed.sequence,
      event.occurred_at AS "occurredAt", event.data::text AS data, event.traceparent
    FROM claimed
    CROSS JOIN LATERAL (
      SELECT url, encrypted_secret, earlier_secrets, encrypted_headers, workspace_deleted_at
      FROM webhook_endpoints WHERE id = claimed.endpoint_id LIMIT 1
    ) endpoint
    LEFT JOIN LATERAL (
      SELECT occurred_at, data, traceparent FROM events WHERE workspace_id = claimed.workspace_id
        AND position = claimed.event_position AND relayed_at = claimed.event_relayed_at LIMIT 1
    ) event ON true
    WHERE claimed.endpoint_id = plan.endpoint_id
  ) delivery ON true`;
