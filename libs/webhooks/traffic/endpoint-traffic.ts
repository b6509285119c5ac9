import { healthOfTraffic } from './endpoint-health.js';

/*
 * The traffic to one endpoint, a row of `webhook_flows`: how many deliveries are in flight, how many may be
 * (the window), whether the circuit breaker is open, the pace of a rate limit, and when a worker must look
 * at the endpoint again. Only the files of this folder name the columns of the table; other statements use
 * the fragments below. An argument is an SQL expression, such as the name of a parameter, or a SELECT.
 */

// Enough for BullMQ and PostgreSQL to keep one fast receiver busy; more deliveries would only wait there.
export const MAX_WINDOW = 100;

// How long a worker has to take a queued job and find a slot for the endpoint. After that the sweep adds
// another job, which does no harm but makes the queue longer.
export const QUEUED_JOB_TIMEOUT = '20 seconds';
// Endpoints that are not healthy share few slots, and may wait long for one.
const UNHEALTHY_QUEUED_JOB_TIMEOUT = '1 minute';

const QUEUED_JOB_TIMEOUT_BY_HEALTH = `CASE WHEN ${healthOfTraffic('webhook_flows')} = 'healthy'
    THEN interval '${QUEUED_JOB_TIMEOUT}' ELSE interval '${UNHEALTHY_QUEUED_JOB_TIMEOUT}' END`;

const IS_IDLE = 'NOT queued AND in_flight < window_size AND open_until <= now()';

/**
 * Every statement that changes deliveries of the endpoints $1 comes after this one in its transaction, so
 * that such statements see each other's changes.
 */
export const LOCK_TRAFFIC = `SELECT FROM webhook_flows
  WHERE endpoint_id = ANY ($1::uuid[]) ORDER BY endpoint_id FOR UPDATE`;

/** Locks the endpoints of a SELECT, in an order in which no two statements block each other. */
export const lockSelectedTraffic = (endpointIds: string): string =>
  `SELECT endpoint_id, ${IS_IDLE} AS is_idle FROM webhook_flows
    WHERE endpoint_id = ANY (ARRAY(${endpointIds})) ORDER BY endpoint_id FOR UPDATE`;

/** Marks the endpoints of a SELECT as queued; the caller puts the returned endpoints into the queue. */
export const queueEndpoints = (endpointIds: string): string =>
  `UPDATE webhook_flows SET queued = true, wake_at = now() + ${QUEUED_JOB_TIMEOUT_BY_HEALTH}
    WHERE endpoint_id = ANY (ARRAY(${endpointIds}))
    RETURNING endpoint_id, ${healthOfTraffic('webhook_flows')} AS health`;

/** `queueEndpoints` for those that have room for another attempt and are not queued yet. */
export const queueIdleEndpoints = (endpointIds: string): string =>
  queueEndpoints(
    `SELECT endpoint_id FROM webhook_flows
     WHERE endpoint_id = ANY (ARRAY(${endpointIds})) AND ${IS_IDLE}`,
  );

/** `queueEndpoints` for those whose `wake_at` has come, at most `limit` of them. */
export const queueWokenEndpoints = (limit: number): string =>
  queueEndpoints(
    `SELECT endpoint_id FROM webhook_flows WHERE wake_at <= now()
     ORDER BY wake_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
  );

export const SELECT_NEXT_WAKE_AT = `SELECT wake_at FROM webhook_flows
  WHERE wake_at > now() ORDER BY wake_at LIMIT 1`;

/** The ids of the endpoints that meet a condition on `traffic.endpoint_id`. The rows are small. */
export const selectEndpointIds = (condition: string): string =>
  `SELECT endpoint_id AS id FROM webhook_flows traffic WHERE ${condition}`;

export const createTraffic = (endpointIds: string): string =>
  `INSERT INTO webhook_flows (endpoint_id) ${endpointIds}`;

/** Lets the sweep queue the endpoint at once. */
export const wakeEndpoint = (endpointId: string): string =>
  `UPDATE webhook_flows SET wake_at = now() WHERE endpoint_id = ${endpointId}`;

/** The same for cancelled deliveries: those whose worker died still count as in flight. */
export const wakeAfterCancelling = (endpointId: string, cancelled: string): string =>
  `UPDATE webhook_flows SET wake_at = now(), in_flight = greatest(0, in_flight - (
      SELECT count(*) FROM ${cancelled} WHERE claimed_until IS NOT NULL
    )) WHERE endpoint_id = ${endpointId}`;

/** Closes the circuit breaker for an attempt that a member asks for. */
export const closeBreakerAndWake = (endpointId: string): string =>
  `UPDATE webhook_flows SET wake_at = now(), open_until = '-infinity'
    WHERE endpoint_id = ${endpointId}`;

/** The same for a backlog, which is then sent at a limited rate if `madeDue` has rows. */
export const closeBreakerAndDrain = (endpointId: string, madeDue: string): string =>
  `UPDATE webhook_flows SET wake_at = now(), open_until = '-infinity',
      is_draining = is_draining OR EXISTS (SELECT FROM ${madeDue})
    WHERE endpoint_id = ${endpointId}`;

/** Forgets all failures of an endpoint that is enabled, and drains what it holds. */
export const resetTraffic = (endpointId: string): string =>
  `UPDATE webhook_flows SET wake_at = now(), window_size = 1, failures = 0, is_draining = true,
     failing_since = NULL, opened = 0, open_until = '-infinity'
   WHERE endpoint_id = ${endpointId}`;

/** Gives back the claim of the one delivery in `released`, which is due again at its `due_at`. */
export const releaseTraffic = (
  endpointId: string,
  released: string,
  shouldResetWindow: string,
): string =>
  `UPDATE webhook_flows SET in_flight = greatest(0, in_flight - 1),
      window_size = CASE WHEN ${shouldResetWindow} THEN 1 ELSE window_size END,
      wake_at = least(wake_at, (SELECT due_at FROM ${released}))
    WHERE endpoint_id = ${endpointId} AND EXISTS (SELECT FROM ${released})`;

/** Gives a row if the endpoint's last recorded attempt succeeded, or with `$2` false, if it failed. */
export const SELECT_LAST_ATTEMPT_SUCCEEDED =
  'SELECT FROM webhook_flows WHERE endpoint_id = $1 AND (failures = 0) = $2';

/** The column `open_until`: until when the circuit breaker keeps attempts from the endpoint. */
export const selectBreaker = (endpointId: string): string =>
  `SELECT open_until FROM webhook_flows WHERE endpoint_id = ${endpointId} LIMIT 1`;
