import { selectObservedTraffic } from '../traffic/traffic-report.sql.js';

// Each statement below counts about `MAX_COUNTED` rows at most, and visits at most `MAX_ENDPOINTS` endpoints or
// workspaces. With 10,000 endpoints and 1,000,000 deliveries, a run reads about 200,000 index entries.
export const MAX_COUNTED = 100_000;
export const MAX_ENDPOINTS = 10_000;
// The pending deliveries of each endpoint are first counted up to this limit. Most endpoints have fewer, so the rest of
// MAX_COUNTED is left for the larger backlogs.
const FIRST_COUNT = MAX_COUNTED / MAX_ENDPOINTS;
const RANKS = 10;

/**
 * Counts the pending deliveries by state.
 *
 * - Reads: at most MAX_ENDPOINTS endpoints that have deliveries, in id order. To find each of these endpoints,
 *   PostgreSQL descends the primary key's index once. The settings and the traffic of these endpoints are read by
 *   primary key. In total, the statement reads about 2 * MAX_COUNTED entries of the index `webhook_deliveries_due`.
 * - Locks and writes: nothing.
 *
 * CTEs:
 *
 * - `endpoint`: the endpoints that have deliveries.
 * - `sampled`: a first count for each endpoint.
 * - `share`: the counting limit for each endpoint whose first count reached FIRST_COUNT.
 * - `counted`: the counts.
 */
export const OBSERVE_BACKLOG = `WITH RECURSIVE endpoint AS (
    (SELECT endpoint_id AS id, 1 AS number FROM webhook_deliveries ORDER BY endpoint_id LIMIT 1)
    UNION ALL
    SELECT next.endpoint_id, number + 1 FROM endpoint CROSS JOIN LATERAL (
      SELECT endpoint_id FROM webhook_deliveries WHERE endpoint_id > endpoint.id
      ORDER BY endpoint_id LIMIT 1
    ) next WHERE number < ${MAX_ENDPOINTS}
  ), sampled AS MATERIALIZED (
    SELECT endpoint.id, settings.workspace_id, settings.is_held, traffic.in_flight, traffic.is_breaker_open,
      traffic.can_send AND NOT traffic.is_paced AND NOT settings.is_held AS waits_for_worker, sample.size
    FROM endpoint
    CROSS JOIN LATERAL (
      SELECT workspace_id, status = 'disabled' AS is_held
      FROM webhook_endpoints WHERE id = endpoint.id LIMIT 1
    ) settings
    CROSS JOIN LATERAL (${selectObservedTraffic('endpoint.id')}) traffic
    CROSS JOIN LATERAL (
      SELECT count(*) AS size FROM (
        SELECT FROM webhook_deliveries WHERE endpoint_id = endpoint.id AND due_at > '-infinity'
        LIMIT ${FIRST_COUNT}
      ) delivery
    ) sample
  ), share AS MATERIALIZED (
    SELECT ${MAX_COUNTED} / greatest(1, count(*)) AS size FROM sampled WHERE size = ${FIRST_COUNT}
  ), counted AS MATERIALIZED (
    SELECT sampled.*, pending.due, pending.scheduled, oldest.due_at AS oldest_due_at
    FROM sampled
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE due_at <= now()) AS due,
        count(*) FILTER (WHERE due_at > now()) AS scheduled
      FROM (
        SELECT due_at FROM webhook_deliveries WHERE endpoint_id = sampled.id AND due_at > '-infinity'
        ORDER BY due_at
        LIMIT CASE WHEN sampled.size < ${FIRST_COUNT} THEN sampled.size ELSE (SELECT size FROM share) END
      ) delivery
    ) pending
    -- Deliveries in flight were due first, and the window limits their number. So few rows are read.
    LEFT JOIN LATERAL (
      SELECT due_at FROM webhook_deliveries
      WHERE endpoint_id = sampled.id AND due_at > '-infinity' AND due_at <= now()
        AND (claimed_until IS NULL OR claimed_until <= now())
        AND sampled.waits_for_worker
      ORDER BY due_at LIMIT 1
    ) oldest ON true
  )
  SELECT
    coalesce(sum(greatest(0, due - in_flight)) FILTER (WHERE waits_for_worker), 0)::integer AS due,
    coalesce(sum(greatest(0, due - in_flight)) FILTER (WHERE NOT waits_for_worker AND NOT is_held), 0)::integer
      AS paused,
    coalesce(sum(in_flight), 0)::integer AS "inFlight",
    coalesce(sum(due + scheduled) FILTER (WHERE is_held), 0)::integer AS held,
    coalesce(sum(scheduled) FILTER (WHERE NOT is_held), 0)::integer AS scheduled,
    count(*) FILTER (WHERE is_breaker_open AND NOT is_held)::integer AS "openBreakers",
    coalesce(extract(epoch FROM now() - min(oldest_due_at)), 0)::float8 AS "oldestDueAgeSeconds",
    ARRAY(
      SELECT sum(due + scheduled)::integer FROM counted WHERE NOT is_held
      GROUP BY workspace_id ORDER BY 1 DESC LIMIT ${RANKS}
    ) AS "workspaceBacklogs",
    extract(epoch FROM now())::float8 AS "observedAtSeconds"
  FROM counted`;

/**
 * Counts the events in the outbox, and finds the age of the oldest one. The oldest event of a workspace has the lowest
 * number.
 *
 * - Reads: at most MAX_COUNTED entries of the primary key, and the first event of at most MAX_ENDPOINTS workspaces.
 */
export const OBSERVE_OUTBOX = `WITH RECURSIVE oldest AS (
    (SELECT workspace_id, occurred_at, 1 AS rank FROM outbox ORDER BY workspace_id, number LIMIT 1)
    UNION ALL
    SELECT next.workspace_id, next.occurred_at, rank + 1 FROM oldest CROSS JOIN LATERAL (
      SELECT workspace_id, occurred_at FROM outbox WHERE workspace_id > oldest.workspace_id
      ORDER BY workspace_id, number LIMIT 1
    ) next WHERE rank < ${MAX_ENDPOINTS}
  )
  SELECT (
      SELECT count(*)::integer FROM (SELECT FROM outbox ORDER BY workspace_id, number LIMIT ${MAX_COUNTED}) event
    ) AS events,
    coalesce(greatest(0, extract(epoch FROM now() - min(occurred_at))), 0)::float8 AS "oldestAgeSeconds"
  FROM oldest`;

/** Counts the endpoints with the status $1, up to MAX_COUNTED. Uses the index `webhook_endpoints_by_status`. */
export const COUNT_ENDPOINTS = `SELECT count(*)::integer AS count FROM (
    SELECT FROM webhook_endpoints WHERE status = $1 AND workspace_deleted_at IS NULL LIMIT ${MAX_COUNTED}
  ) endpoint`;
