import { selectTrafficHealth, type EndpointHealth } from './endpoint-health.js';

/** The causes of a pause: the circuit breaker of the endpoint, or the `Retry-After` of its receiver. */
export const pauseReasons = ['circuit-breaker', 'retry-after'] as const;
export type PauseReason = (typeof pauseReasons)[number];

/** The traffic of an endpoint, as the API shows it. */
export interface TrafficReport {
  health: EndpointHealth;
  consecutiveFailures: number;
  failingSince: Date | null;
  /** No attempt begins before this time; null if nothing pauses the endpoint. */
  pausedUntil: Date | null;
  pauseReason: PauseReason | null;
  inFlight: number;
  /** The window: how many attempts may be in flight at the same time. */
  concurrency: number;
}

/**
 * Selects the traffic of an endpoint for the metrics. `can_send` is false while the endpoint is paused, failing or
 * draining a backlog. `is_paced` is true while its rate limit holds deliveries back.
 */
export const selectObservedTraffic = (endpointId: string): string =>
  `SELECT CASE WHEN claimed_until <= now() THEN 0 ELSE in_flight END AS in_flight,
      open_until > now() AND NOT is_pause_requested AS is_breaker_open,
      open_until <= now() AND NOT is_draining AND ${selectTrafficHealth('traffic')} <> 'failing' AS can_send,
      paced_until > now() AS is_paced
    FROM webhook_traffic traffic WHERE endpoint_id = ${endpointId} LIMIT 1`;

export const selectTrafficReport = (endpointId: string): string =>
  `SELECT ${selectTrafficHealth('traffic')} AS health, failures AS "consecutiveFailures",
      failing_since AS "failingSince", pause.until AS "pausedUntil",
      CASE WHEN pause.until IS NULL THEN NULL WHEN is_pause_requested THEN 'retry-after'
        ELSE 'circuit-breaker' END AS "pauseReason",
      -- Once all leases have expired, nothing is in flight, although the row may still count deliveries.
      CASE WHEN claimed_until <= now() THEN 0 ELSE in_flight END AS "inFlight",
      window_size AS concurrency
    FROM webhook_traffic traffic
    CROSS JOIN LATERAL (SELECT CASE WHEN open_until > now() THEN open_until END AS until) pause
    WHERE endpoint_id = ${endpointId}`;
