import { selectHealth } from './endpoint-health.js';
import { MAX_WINDOW, QUEUED_JOB_TIMEOUT } from './endpoint-traffic.js';

// The circuit breaker opens after this many consecutive failures. After its pause, a single failure opens the breaker
// again.
const FAILURES_TO_OPEN = 5;
// The pause doubles each time the breaker opens, with a jitter of 20 %.
const INITIAL_BREAKER_PAUSE = '5 seconds';
const MAX_BREAKER_PAUSE = '5 minutes';
// An endpoint whose attempts have all failed for this long is disabled.
const DISABLE_AFTER = '5 days';
// If the previous failure is older than this, the next failure resets `failing_since`. So a period without attempts
// does not count towards `DISABLE_AFTER`. The count of consecutive failures is not reset. The gaps between the attempts
// of one delivery are shorter than this constant.
const FAILURE_STREAK_GAP = '36 hours';

/**
 * CTEs that compute and store the next state of each endpoint's traffic.
 *
 * The window works like the congestion window of TCP (RFC 5681): it grows with each success while at least half of it
 * is in use. It is halved if all attempts that are recorded together have failed. If a receiver asks for a pause, the
 * window of its endpoint is reset to 1.
 *
 * - Needs: `tally`, a CTE with one row for each endpoint (`endpoint_id`, `ended`, `successes`, `failures`, `retry_in`,
 *   `retry_after`, `failed_delivery_id`, `failed_claim`). The last two columns identify a failed attempt. Also needs
 *   `released`, a CTE with the endpoints that have an ordered delivery that has just become due.
 * - `counted`: the consecutive failures, the window, and whether the breaker opens.
 * - `paused`: the time before which no attempt may begin, because of the breaker or the receiver's Retry-After.
 * - `decided`: whether the endpoint is queued again, and its new status.
 */
export const updateTrafficAfterAttempts = (tally: string, released: string): string => `counted AS (
    SELECT traffic.*, tally.retry_in, tally.retry_after, tally.failed_delivery_id,
      tally.failed_claim, endpoint.status, attempts.succeeded, attempts.failed,
      greatest(0, traffic.in_flight - tally.ended) AS still_in_flight,
      CASE WHEN attempts.succeeded THEN 0 ELSE traffic.failures + tally.failures END
        AS failures_in_a_row,
      CASE WHEN traffic.failed_at >= now() - interval '${FAILURE_STREAK_GAP}'
        THEN coalesce(traffic.failing_since, now()) ELSE now() END AS streak_since,
      CASE
        WHEN tally.retry_after > interval '0' THEN 1
        WHEN attempts.failed THEN greatest(1, traffic.window_size / 2)
        WHEN traffic.in_flight < traffic.window_size / 2 THEN traffic.window_size
        ELSE least(${MAX_WINDOW}, traffic.window_size + tally.successes)
      END AS next_window_size,
      attempts.failed AND traffic.open_until <= now()
        AND traffic.failures + tally.failures >= ${FAILURES_TO_OPEN} AS should_open
    FROM ${tally} tally
    CROSS JOIN LATERAL (
      SELECT tally.successes > 0 AS succeeded, tally.successes = 0 AND tally.failures > 0 AS failed
    ) attempts
    CROSS JOIN LATERAL (
      SELECT * FROM webhook_traffic WHERE endpoint_id = tally.endpoint_id LIMIT 1
    ) traffic
    CROSS JOIN LATERAL (
      SELECT status FROM webhook_endpoints WHERE id = tally.endpoint_id LIMIT 1
    ) endpoint
  ), paused AS (
    SELECT counted.*, greatest(now() + retry_after, breaker.until) AS paused_until,
      CASE WHEN now() + retry_after >= breaker.until THEN true WHEN should_open THEN false
        ELSE is_pause_requested END AS is_next_pause_requested
    FROM counted
    CROSS JOIN LATERAL (
      SELECT CASE
        -- A success ends the pause of the breaker. A pause that the receiver has asked for continues.
        WHEN succeeded AND NOT is_pause_requested THEN '-infinity'
        WHEN should_open THEN now() + (0.8 + 0.4 * random())
          * least(interval '${INITIAL_BREAKER_PAUSE}' * 2 ^ least(opened, 10),
            interval '${MAX_BREAKER_PAUSE}')
        ELSE open_until
      END AS until
    ) breaker
  ), decided AS (
    SELECT paused.*, paused_until <= now() AND NOT queued
      AND still_in_flight <= next_window_size / 2
      AND (endpoint_id IN (SELECT endpoint_id FROM ${released}) OR (
        SELECT count(*) > 0 FROM (
          SELECT FROM webhook_deliveries delivery WHERE delivery.endpoint_id = paused.endpoint_id
            AND due_at > '-infinity' AND due_at <= now() AND delivery.claimed_until IS NULL LIMIT 1
        ) due
      )) AS should_claim_next,
      CASE
        WHEN status = 'disabled' THEN NULL
        WHEN succeeded AND status = 'failing' THEN 'active'
        WHEN NOT failed THEN NULL
        WHEN streak_since < now() - interval '${DISABLE_AFTER}' THEN 'disabled'
        WHEN failures_in_a_row >= ${FAILURES_TO_OPEN} AND status = 'active' THEN 'failing'
      END AS new_status,
      CASE WHEN should_open THEN 1 ELSE next_window_size END AS final_window_size,
      CASE WHEN succeeded THEN 0 WHEN should_open THEN opened + 1 ELSE opened END AS final_opened
    FROM paused
  ), traffic AS (
    UPDATE webhook_traffic traffic SET (in_flight, failures, failing_since, failed_at, window_size,
      opened, open_until, is_pause_requested, last_failed_delivery_id, last_failed_claim, queued,
      wake_at) = (
      SELECT still_in_flight, failures_in_a_row,
        CASE WHEN failed THEN streak_since WHEN NOT succeeded THEN failing_since END,
        CASE WHEN failed THEN now() WHEN NOT succeeded THEN failed_at END,
        final_window_size, final_opened, paused_until, is_next_pause_requested,
        coalesce(failed_delivery_id, last_failed_delivery_id),
        coalesce(failed_claim, last_failed_claim), queued OR should_claim_next,
        CASE WHEN should_claim_next THEN now() + interval '${QUEUED_JOB_TIMEOUT}'
          WHEN paused_until > now() THEN paused_until
          -- The breaker has closed, and deliveries that it held up may be due.
          WHEN succeeded AND opened > 0 THEN now()
          ELSE least(wake_at, now() + retry_in) END
      FROM decided WHERE decided.endpoint_id = traffic.endpoint_id
    )
    WHERE endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM decided))
  )`;

/**
 * Selects the endpoints that must be queued again or whose status changes, from the CTEs of
 * `updateTrafficAfterAttempts`.
 */
export const SELECT_ENDPOINT_UPDATES = `SELECT endpoint_id AS "endpointId",
    should_claim_next AS "shouldClaimNext", new_status AS "newStatus",
    ${selectHealth({
      opened: 'final_opened',
      windowSize: 'final_window_size',
      failures: 'failures_in_a_row',
    })} AS health,
    failures_in_a_row::integer AS "consecutiveFailures", streak_since AS "failingSince"
  FROM decided WHERE should_claim_next OR new_status IS NOT NULL`;
