import { selectTrafficHealth } from './endpoint-health.js';

/*
 * Each row of `webhook_traffic` is the state of the traffic to one endpoint: how many deliveries are in flight, how
 * many may be in flight (the window), whether the circuit breaker is open, the pace of a rate limit, and when a worker
 * must look at the endpoint again. Only the files in this folder refer to the columns of the table; other statements
 * use the fragments below. The arguments of a fragment are SQL expressions, such as the name of a parameter, or a
 * SELECT.
 */

// This window is large enough for BullMQ and PostgreSQL to keep one fast receiver busy. More deliveries in flight would
// only wait at the receiver.
export const MAX_WINDOW = 100;

// Within this time, a worker must take a queued job and find a slot for the endpoint. Otherwise, the sweep adds another
// job. If the first job was not lost, the second job only makes the queue longer.
export const QUEUED_JOB_TIMEOUT = '20 seconds';
// Unhealthy endpoints share few slots, and may wait a long time for one.
const UNHEALTHY_QUEUED_JOB_TIMEOUT = '1 minute';

const QUEUED_JOB_TIMEOUT_BY_HEALTH = `CASE WHEN ${selectTrafficHealth('webhook_traffic')} = 'healthy'
    THEN interval '${QUEUED_JOB_TIMEOUT}' ELSE interval '${UNHEALTHY_QUEUED_JOB_TIMEOUT}' END`;

const IS_IDLE = 'NOT queued AND in_flight < window_size AND open_until <= now()';

/**
 * Locks the traffic of the endpoints $1. A statement that changes deliveries of these endpoints must run after this
 * statement in the same transaction, so that it sees the changes of other such statements.
 */
export const LOCK_TRAFFIC = `SELECT FROM webhook_traffic
  WHERE endpoint_id = ANY ($1::uuid[]) ORDER BY endpoint_id FOR UPDATE`;

/** Locks the traffic of the selected endpoints in the order of their ids, so that two statements cannot deadlock. */
export const lockSelectedTraffic = (endpointIds: string): string =>
  `SELECT endpoint_id, ${IS_IDLE} AS is_idle FROM webhook_traffic
    WHERE endpoint_id = ANY (ARRAY(${endpointIds})) ORDER BY endpoint_id FOR UPDATE`;

/** Marks the selected endpoints as queued. The caller must put the returned endpoints into the queue. */
export const queueEndpoints = (endpointIds: string): string =>
  `UPDATE webhook_traffic SET queued = true, wake_at = now() + ${QUEUED_JOB_TIMEOUT_BY_HEALTH}
    WHERE endpoint_id = ANY (ARRAY(${endpointIds}))
    RETURNING endpoint_id, ${selectTrafficHealth('webhook_traffic')} AS health`;

/**
 * Applies `queueEndpoints` to the selected endpoints that are idle. An idle endpoint is not queued yet and has room in
 * its window, and its circuit breaker is not open.
 */
export const queueIdleEndpoints = (endpointIds: string): string =>
  queueEndpoints(
    `SELECT endpoint_id FROM webhook_traffic
     WHERE endpoint_id = ANY (ARRAY(${endpointIds})) AND ${IS_IDLE}`,
  );

/** Applies `queueEndpoints` to at most `limit` endpoints whose `wake_at` has passed. */
export const queueWokenEndpoints = (limit: number): string =>
  queueEndpoints(
    `SELECT endpoint_id FROM webhook_traffic WHERE wake_at <= now()
     ORDER BY wake_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
  );

export const SELECT_NEXT_WAKE_AT = `SELECT wake_at FROM webhook_traffic
  WHERE wake_at > now() ORDER BY wake_at LIMIT 1`;

/**
 * Selects the ids of the endpoints that meet a condition on `traffic.endpoint_id`. Reads the whole table, whose rows
 * are small.
 */
export const selectEndpointIds = (condition: string): string =>
  `SELECT endpoint_id AS id FROM webhook_traffic traffic WHERE ${condition}`;

export const createTraffic = (endpointIds: string): string =>
  `INSERT INTO webhook_traffic (endpoint_id) ${endpointIds}`;

/** Makes the sweep queue the endpoint immediately. */
export const wakeEndpoint = (endpointId: string): string =>
  `UPDATE webhook_traffic SET wake_at = now() WHERE endpoint_id = ${endpointId}`;

/** Makes the sweep queue the endpoints $1 one second from now. */
export const WAKE_SOON = `UPDATE webhook_traffic SET wake_at = least(wake_at, now() + interval '1 second')
  WHERE endpoint_id = ANY ($1::uuid[])`;

/**
 * Makes the sweep queue the endpoint after deliveries were cancelled. Cancelled deliveries that a dead worker had
 * claimed no longer count as in flight.
 */
export const wakeAfterCancelling = (endpointId: string, cancelled: string): string =>
  `UPDATE webhook_traffic SET wake_at = now(), in_flight = greatest(0, in_flight - (
      SELECT count(*) FROM ${cancelled} WHERE claimed_until IS NOT NULL
    )) WHERE endpoint_id = ${endpointId}`;

/** Closes the circuit breaker, so that an attempt that a member has requested begins immediately. */
export const closeBreakerAndWake = (endpointId: string): string =>
  `UPDATE webhook_traffic SET wake_at = now(), open_until = '-infinity'
    WHERE endpoint_id = ${endpointId}`;

/**
 * Closes the circuit breaker because a member wants all pending deliveries to be sent now. `madeDue` names the CTE of
 * the deliveries that became due. If `madeDue` has rows, Galley sends the backlog at a limited rate.
 */
export const closeBreakerAndDrain = (endpointId: string, madeDue: string): string =>
  `UPDATE webhook_traffic SET wake_at = now(), open_until = '-infinity',
      is_draining = is_draining OR EXISTS (SELECT FROM ${madeDue})
    WHERE endpoint_id = ${endpointId}`;

/**
 * Resets the failures of an endpoint that is being enabled. Also starts a drain, which sends the held deliveries at a
 * limited rate.
 */
export const resetTraffic = (endpointId: string): string =>
  `UPDATE webhook_traffic SET wake_at = now(), window_size = 1, failures = 0, is_draining = true,
     failing_since = NULL, opened = 0, open_until = '-infinity'
   WHERE endpoint_id = ${endpointId}`;

/** Undoes the claim of the delivery in `released`, and wakes the endpoint no later than the delivery's `due_at`. */
export const releaseTraffic = (
  endpointId: string,
  released: string,
  shouldResetWindow: string,
): string =>
  `UPDATE webhook_traffic SET in_flight = greatest(0, in_flight - 1),
      window_size = CASE WHEN ${shouldResetWindow} THEN 1 ELSE window_size END,
      wake_at = least(wake_at, (SELECT due_at FROM ${released}))
    WHERE endpoint_id = ${endpointId} AND EXISTS (SELECT FROM ${released})`;

/**
 * Returns a row if the last recorded attempt of the endpoint $1 succeeded (if $2 is true) or failed (if $2 is false).
 */
export const SELECT_LAST_ATTEMPT_SUCCEEDED =
  'SELECT FROM webhook_traffic WHERE endpoint_id = $1 AND (failures = 0) = $2';

/** Selects `open_until`, the time until which the circuit breaker stays open. */
export const selectBreaker = (endpointId: string): string =>
  `SELECT open_until FROM webhook_traffic WHERE endpoint_id = ${endpointId} LIMIT 1`;
