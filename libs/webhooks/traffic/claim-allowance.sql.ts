import { SEND_TIMEOUT_MS } from '../sending/sender.js';
import { QUEUED_JOB_TIMEOUT } from './endpoint-traffic.js';

// The time limit of an attempt, plus 5 seconds to record the attempt.
export const LEASE = `${SEND_TIMEOUT_MS + 5_000} milliseconds`;
// While an endpoint drains its backlog, Galley sends at most this many deliveries per second.
const DRAIN_RATE = 50;
// An attempt may begin this much earlier than the pace allows, so that a few attempts of one endpoint are
// claimed together.
const PACE_TOLERANCE = '100 milliseconds';
const MIN_PACE_PAUSE = '10 milliseconds';

/**
 * Selects how many deliveries a worker may claim now for each requested endpoint.
 *
 * - Reads: the traffic and the settings of the endpoints, each by its primary key.
 * - Returns: one row for each endpoint.
 *
 * The most important columns:
 *
 * - `claimable`: the smallest of the requested limit, the free part of the window, and the number that the pace allows;
 *   0 if the endpoint is disabled or its circuit breaker is open.
 * - `capacity`: the same number if there were no pace.
 * - `in_flight_before`: the number of deliveries in flight before this claim.
 * - `is_lease_lost`: whether all leases have expired. If so, nothing is in flight, although `webhook_traffic` still
 *   counts deliveries as in flight.
 */
export const selectClaimAllowance = (endpointIds: string, limits: string): string => `
    SELECT requested.endpoint_id, requested.claim_limit, traffic.window_size, traffic.open_until,
      traffic.claimed_until, traffic.is_draining, endpoint.status = 'disabled' AS is_disabled,
      endpoint.status_since, endpoint.ordered, pace.per_second, pace.paced_until,
      lease.is_lease_lost, lease.in_flight_before, slots.capacity,
      greatest(0, least(slots.capacity, 1 + floor(
        extract(epoch FROM now() + interval '${PACE_TOLERANCE}' - pace.paced_until) * pace.per_second
      )))::integer AS claimable
    FROM unnest(${endpointIds}::uuid[], ${limits}::integer[]) AS requested (endpoint_id, claim_limit)
    CROSS JOIN LATERAL (
      SELECT * FROM webhook_traffic WHERE endpoint_id = requested.endpoint_id LIMIT 1
    ) traffic
    CROSS JOIN LATERAL (
      SELECT status, status_since, rate_limit, ordered FROM webhook_endpoints
      WHERE id = requested.endpoint_id LIMIT 1
    ) endpoint
    CROSS JOIN LATERAL (
      SELECT least(endpoint.rate_limit, CASE WHEN traffic.is_draining THEN ${DRAIN_RATE} END)
        AS per_second, greatest(traffic.paced_until, now()) AS paced_until
    ) pace
    CROSS JOIN LATERAL (
      SELECT traffic.claimed_until <= now() AND traffic.in_flight > 0 AS is_lease_lost,
        CASE WHEN traffic.claimed_until <= now() THEN 0 ELSE traffic.in_flight END
          AS in_flight_before
    ) lease
    CROSS JOIN LATERAL (
      SELECT CASE WHEN endpoint.status = 'disabled' OR traffic.open_until > now() THEN 0
        ELSE greatest(0, least(requested.claim_limit, traffic.window_size - lease.in_flight_before))
        END AS capacity
    ) slots`;

/**
 * Updates the traffic after a claim. `plan` names a CTE with the rows of `selectClaimAllowance` and the deliveries to
 * claim. `wake_at` is the time at which the sweep looks at the endpoint again. The first of these rules applies:
 *
 * - The endpoint is disabled: null.
 * - The circuit breaker is open: the time at which it closes.
 * - The endpoint is queued: the time at which its job counts as lost.
 * - Otherwise: the earliest time at which a lease expires, the pace allows the next attempt, or the next delivery is
 *   due.
 */
export const updateTrafficAfterClaim = (plan: string): string => `
    UPDATE webhook_traffic traffic SET (in_flight, claimed_until, queued, is_draining, paced_until,
      wake_at) = (
      SELECT plan.in_flight_after,
        CASE WHEN plan.claims_some THEN now() + interval '${LEASE}' ELSE plan.claimed_until END,
        plan.has_more, plan.still_draining, plan.next_paced_until,
        CASE
          WHEN plan.is_disabled THEN NULL
          WHEN plan.open_until > now() THEN plan.open_until
          WHEN plan.has_more THEN now() + interval '${QUEUED_JOB_TIMEOUT}'
          ELSE least(
            CASE WHEN plan.claims_some THEN now() + interval '${LEASE}'
              WHEN plan.in_flight_after > 0 THEN plan.claimed_until END,
            CASE WHEN plan.is_paced THEN
              greatest(${paceResumesAt('plan')}, now() + interval '${MIN_PACE_PAUSE}') END,
            (SELECT due_at FROM webhook_deliveries WHERE endpoint_id = plan.endpoint_id
             AND due_at > '-infinity' AND due_at > now() AND due_at < 'infinity'
             ORDER BY due_at LIMIT 1))
        END
      FROM ${plan} plan WHERE plan.endpoint_id = traffic.endpoint_id
    )
    WHERE endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM ${plan}))`;

/** An SQL expression for the earliest time at which pacing allows the next attempt. `plan` is an alias. */
export function paceResumesAt(plan: string): string {
  return `${plan}.next_paced_until - interval '${PACE_TOLERANCE}'`;
}
