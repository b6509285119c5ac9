import { selectTrafficReport } from '../traffic/traffic-report.sql.js';
import { MAX_COUNTED, MAX_ENDPOINTS } from './observe-backlog.sql.js';

/*
 * Operators use these statements to list the endpoints and the workspaces with the largest backlogs.
 *
 * The cost of the statements is bounded, however large the backlog is. They visit at most MAX_ENDPOINTS endpoints, and
 * count about MAX_COUNTED pending deliveries and events, which they find through primary keys. The only history that
 * they read is `webhook_statistics`. They neither lock nor write, so they also run on a standby.
 *
 * Each endpoint or workspace gets a share of MAX_COUNTED. If `isCapped` is true, its rows were counted only up to that
 * share.
 */

// The rows of each endpoint are first counted up to this limit. Most endpoints have fewer rows, so the rest of
// MAX_COUNTED is left for the larger backlogs.
const FIRST_COUNT = MAX_COUNTED / MAX_ENDPOINTS;

/**
 * The body of a recursive CTE that selects the first MAX_ENDPOINTS distinct values of a column. The CTE must be named
 * `found`. The primary key of the table must begin with the column.
 */
const selectDistinct = (table: string, column: string): string => `
    (SELECT ${column} AS id, 1 AS number FROM ${table} ORDER BY ${column} LIMIT 1)
    UNION ALL
    SELECT next.id, number + 1 FROM found CROSS JOIN LATERAL (
      SELECT ${column} AS id FROM ${table} WHERE ${column} > found.id ORDER BY ${column} LIMIT 1
    ) next WHERE number < ${MAX_ENDPOINTS}`;

/** CTEs that count the rows of the table for each value in the CTE `found`. The CTE `counted` contains the result. */
const countEach = (table: string, column: string): string => `sampled AS MATERIALIZED (
    SELECT found.id, sample.size FROM found CROSS JOIN LATERAL (
      SELECT count(*)::integer AS size FROM (
        SELECT FROM ${table} WHERE ${column} = found.id LIMIT ${FIRST_COUNT}
      ) part
    ) sample
  ), share AS MATERIALIZED (
    SELECT (${MAX_COUNTED} / greatest(1, count(*)))::integer AS size FROM sampled WHERE size = ${FIRST_COUNT}
  ), counted AS MATERIALIZED (
    SELECT sampled.id, rest.size AS waiting,
      sampled.size = ${FIRST_COUNT} AND rest.size = (SELECT size FROM share) AS "isCapped"
    FROM sampled CROSS JOIN LATERAL (
      SELECT count(*)::integer AS size FROM (
        SELECT FROM ${table} WHERE ${column} = sampled.id
        LIMIT CASE WHEN sampled.size < ${FIRST_COUNT} THEN sampled.size ELSE (SELECT size FROM share) END
      ) part
    ) rest
  )`;

/**
 * Selects the number of attempts to an endpoint or in a workspace, and how many of them failed. `since` is the length
 * of the period that ends now, for example '24 hours'. Reads one row for each 5 minutes.
 */
const sumAttempts = (subjectId: string, since: string): string =>
  `SELECT coalesce(sum(attempts), 0)::integer AS attempts,
      coalesce(sum(failed + retried), 0)::integer AS failed
    FROM webhook_statistics
    WHERE subject_id = ${subjectId} AND interval_start >= now() - interval '${since}'`;

const ORDERS = {
  backlog: 'waiting DESC, "oldestAt"',
  oldest: '"oldestAt", waiting DESC',
  failing: '"failingSince", waiting DESC',
};
export type EndpointSort = keyof typeof ORDERS;
export const endpointSorts = Object.keys(ORDERS) as EndpointSort[];

/** Each source selects the endpoints that a list can contain. */
const SOURCES = {
  ofWorkspace: `SELECT id FROM webhook_endpoints
    WHERE workspace_id = $2 AND workspace_deleted_at IS NULL LIMIT ${MAX_ENDPOINTS}`,
  waiting: selectDistinct('webhook_deliveries', 'endpoint_id'),
  failing: `SELECT id FROM webhook_endpoints
    WHERE status = 'failing' AND workspace_deleted_at IS NULL AND $2::uuid IS NULL LIMIT ${MAX_ENDPOINTS}`,
};

/** Lists at most $1 endpoints of the workspace $2, or of all workspaces if $2 is null. */
export function listEndpointBacklogs(sort: EndpointSort, isOfWorkspace: boolean): string {
  const source = isOfWorkspace ? 'ofWorkspace' : sort === 'failing' ? 'failing' : 'waiting';
  return `WITH RECURSIVE found AS (${SOURCES[source]}), ${countEach('webhook_deliveries', 'endpoint_id')}
  SELECT page.*, recent.attempts AS "attemptsInDay", recent.failed AS "failedInDay"
  FROM (
    SELECT endpoint.*, waiting, "isCapped", oldest.at AS "oldestAt", traffic.health,
      traffic."consecutiveFailures", traffic."failingSince", traffic."pausedUntil", traffic."inFlight"
    FROM counted
    CROSS JOIN LATERAL (
      SELECT id AS "webhookId", workspace_id AS "workspaceId",
        (SELECT name FROM workspaces WHERE id = workspace_id) AS workspace,
        substring(url FROM '^[a-z]+://([^/?#]*)') AS host, status, status_since AS "statusSince"
      FROM webhook_endpoints WHERE id = counted.id LIMIT 1
    ) endpoint
    CROSS JOIN LATERAL (${selectTrafficReport('counted.id')} LIMIT 1) traffic
    LEFT JOIN LATERAL (
      SELECT event_relayed_at AS at FROM webhook_deliveries
      WHERE endpoint_id = counted.id ORDER BY endpoint_id, id LIMIT 1
    ) oldest ON true
    WHERE $2::uuid IS NULL OR "workspaceId" = $2
    ORDER BY ${ORDERS[sort]} LIMIT $1
  ) page CROSS JOIN LATERAL (${sumAttempts('page."webhookId"', '24 hours')}) recent
  ORDER BY ${ORDERS[sort]}`;
}

/**
 * Lists at most $1 workspaces in the order $3, with their attempts during the last hour. If $2 is null, lists
 * workspaces that have pending deliveries, events in the outbox, or deleted documents that a worker has yet to purge.
 * Otherwise, lists only the workspace $2.
 */
export const LIST_WAITING_WORKSPACES = `WITH RECURSIVE found AS (
    ${selectDistinct('webhook_deliveries', 'endpoint_id')}
  ), ${countEach('webhook_deliveries', 'endpoint_id')}, pending AS MATERIALIZED (
    SELECT endpoint.workspace_id AS id, count(*)::integer AS webhooks, sum(waiting)::integer AS waiting,
      bool_or("isCapped") AS "isCapped"
    FROM counted CROSS JOIN LATERAL (
      SELECT workspace_id FROM webhook_endpoints WHERE id = counted.id LIMIT 1
    ) endpoint GROUP BY 1
  ), publisher (id, number) AS (
    ${selectDistinct('outbox', 'workspace_id').replaceAll('found', 'publisher')}
  ), purging (id, number) AS (
    ${selectDistinct('documents_to_purge', 'workspace_id').replaceAll('found', 'purging')}
  ), candidate AS MATERIALIZED (
    SELECT id FROM pending UNION SELECT id FROM publisher UNION SELECT id FROM purging UNION SELECT $2::uuid WHERE $2::uuid IS NOT NULL
  )
  SELECT candidate.id AS "workspaceId", workspace.name AS workspace,
    coalesce(pending.webhooks, 0) AS "webhooksWaiting", coalesce(pending.waiting, 0) AS waiting,
    coalesce(pending."isCapped", false) AS "isCapped", event.outbox, event."oldestEventAt",
    purge.documents AS "documentsToPurge",
    recent.attempts AS "attemptsInHour", recent.failed AS "failedInHour"
  FROM candidate
  LEFT JOIN pending ON pending.id = candidate.id
  LEFT JOIN LATERAL (SELECT name FROM workspaces WHERE id = candidate.id LIMIT 1) workspace ON true
  CROSS JOIN LATERAL (
    SELECT count(*)::integer AS outbox, min(occurred_at) AS "oldestEventAt" FROM (
      SELECT occurred_at FROM outbox WHERE workspace_id = candidate.id ORDER BY number
      LIMIT ${MAX_COUNTED} / (SELECT greatest(1, count(*)) FROM candidate)
    ) part
  ) event
  CROSS JOIN LATERAL (
    SELECT count(*)::integer AS documents FROM (
      SELECT FROM documents_to_purge WHERE workspace_id = candidate.id
      LIMIT ${MAX_COUNTED} / (SELECT greatest(1, count(*)) FROM candidate)
    ) part
  ) purge
  CROSS JOIN LATERAL (${sumAttempts('candidate.id', '1 hour')}) recent
  WHERE $2::uuid IS NULL OR candidate.id = $2
  ORDER BY CASE $3 WHEN 'outbox' THEN event.outbox WHEN 'attempts' THEN recent.attempts
    WHEN 'purge' THEN purge.documents ELSE waiting END DESC,
    waiting DESC, candidate.id
  LIMIT $1`;
