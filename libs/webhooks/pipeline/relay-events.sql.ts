import { NIL_UUID } from '#database';
import { lockSelectedTraffic, queueEndpoints } from '../traffic/endpoint-traffic.js';
import { matchesKind } from '../delivery/event-patterns.js';

// Maximum number of traces that one statement returns, because a span can have at most 128 links.
const MAX_TRACES = 100;
// One statement creates at most this many deliveries, in all workspaces together, which takes about 15 ms. A longer
// statement would delay the next one, and would compete with other statements for PostgreSQL's CPUs.
const DELIVERIES_PER_STATEMENT = 500;
// Maximum number of endpoints that one statement handles for one event: one workspace's share of
// `DELIVERIES_PER_STATEMENT`. If the workspace has more endpoints, the event stays unfinished, and later statements
// create the remaining deliveries.
const FAN_OUT_PER_EVENT = 25;
// Maximum number of deliveries that one statement creates for unfinished events, shared by at most
// `UNFINISHED_WORKSPACES_PER_STATEMENT` workspaces.
const UNFINISHED_DELIVERIES_PER_STATEMENT = 100;
const UNFINISHED_WORKSPACES_PER_STATEMENT = 10;
const WORKSPACES_PER_STATEMENT = 20;
// A statement visits workspaces until their total cost reaches `WORKSPACES_PER_STATEMENT`. A workspace whose events are
// relayed costs 1; a skipped workspace costs less.
const COST_OF_SKIPPED_WORKSPACE = 0.2;

/**
 * Selects new events. Workspaces with an unfinished event are skipped, so that their events are relayed in
 * order. In a workspace with more than `FAN_OUT_PER_EVENT` endpoints, one event is relayed at a time: a
 * second event could overtake the remaining deliveries of the first.
 */
const NEW_EVENTS_CTES = `visited AS (
    SELECT $1::uuid AS workspace_id, true AS is_skipped, 0::float8 AS cost
    UNION ALL
    SELECT next.*, visited.cost + CASE WHEN is_unfinished THEN ${COST_OF_SKIPPED_WORKSPACE} ELSE 1 END
    FROM visited CROSS JOIN LATERAL (
      -- A count instead of EXISTS, which PostgreSQL would turn into a scan of all unfinished events.
      SELECT workspace_id, 0 < (
        SELECT count(*) FROM (
          SELECT FROM outbox unfinished WHERE unfinished.workspace_id = outbox.workspace_id
            AND unfinished.fanned_out_to IS NOT NULL LIMIT 1
        ) unfinished
      ) AS is_unfinished
      FROM outbox WHERE workspace_id > visited.workspace_id ORDER BY workspace_id LIMIT 1
    ) next WHERE visited.cost < ${WORKSPACES_PER_STATEMENT}
  ), feed AS (
    SELECT workspace_id, position FROM workspace_feeds
    WHERE workspace_id = ANY (ARRAY(SELECT workspace_id FROM visited WHERE NOT is_skipped))
    FOR UPDATE SKIP LOCKED
  ), share AS MATERIALIZED (
    SELECT feed.workspace_id, feed.position, ${FAN_OUT_PER_EVENT} AS fan_out,
      endpoints.count > ${FAN_OUT_PER_EVENT} AS is_wide,
      CASE WHEN endpoints.count > ${FAN_OUT_PER_EVENT} THEN 1 ELSE greatest(1,
        ${DELIVERIES_PER_STATEMENT} / (SELECT count(*) FROM feed) / greatest(1, endpoints.count)) END AS events
    FROM feed CROSS JOIN LATERAL (
      SELECT count(*) FROM (
        SELECT FROM webhook_endpoints WHERE workspace_id = feed.workspace_id LIMIT ${FAN_OUT_PER_EVENT} + 1
      ) endpoint
    ) endpoints
  )`;

/** Selects unfinished events, which may still lack deliveries. */
const UNFINISHED_EVENTS_CTES = `visited AS (
    SELECT $1::uuid AS workspace_id, 0::float8 AS cost
    UNION ALL
    SELECT next.workspace_id, visited.cost + ${WORKSPACES_PER_STATEMENT} / ${UNFINISHED_WORKSPACES_PER_STATEMENT}.0
    FROM visited CROSS JOIN LATERAL (
      SELECT workspace_id FROM outbox
      WHERE workspace_id > visited.workspace_id AND fanned_out_to IS NOT NULL
      ORDER BY workspace_id LIMIT 1
    ) next WHERE visited.cost < ${WORKSPACES_PER_STATEMENT}
  ), feed AS (
    SELECT workspace_id, position FROM workspace_feeds
    WHERE workspace_id = ANY (ARRAY(SELECT workspace_id FROM visited)) FOR UPDATE SKIP LOCKED
  ), share AS MATERIALIZED (
    SELECT workspace_id, position, ${UNFINISHED_DELIVERIES_PER_STATEMENT} / (SELECT count(*) FROM feed) AS fan_out,
      true AS is_wide, 1 AS events
    FROM feed
  )`;

/**
 * Moves events from the outbox to the feeds of their workspaces, and creates their deliveries.
 *
 * - Locks: the row in `workspace_feeds` of each workspace whose events are relayed. So only one statement at a time
 *   assigns positions to the events of a workspace, and events become visible in the order of their positions. A
 *   workspace whose row is locked by another statement is skipped. Also locks the endpoints against deletion, and the
 *   traffic of the endpoints that get deliveries.
 * - Reads: $1, the workspace after which the statement starts; the endpoints of the workspaces.
 * - Writes: deletes events from the outbox, and inserts unfinished events again; inserts events into the feeds; inserts
 *   deliveries; updates the traffic.
 * - Returns: one row, `RelayResult`.
 *
 * CTEs:
 *
 * - `visited`, `feed`, `share`: the workspaces whose events are relayed, and the number of events and endpoints that
 *   the statement handles for each workspace.
 * - `taken`, `event`: the events, with their positions.
 * - `candidate`: pairs each event with each of the next `fan_out` endpoints. `matches` is true if the endpoint
 *   subscribes to the event.
 * - `unfinished`: puts an event back into the outbox if this statement has handled `fan_out` endpoints for the event,
 *   because more endpoints may be left. If none is left, the next statement finishes the event.
 * - `published`, `numbered`, `delivery`: the writes.
 * - `traffic`, `queued`, `due_endpoint`: the endpoints to put into the queue.
 *
 * The commit waits for a synchronous standby if PostgreSQL has one, although workers otherwise commit asynchronously.
 * Without that wait, a standby that has fallen behind could be promoted, and would assign the same positions to other
 * events. Clients that have already read these positions would miss the other events.
 *
 * Concurrent relays never relay the same event, because each statement relays only events that it has deleted from the
 * outbox itself. If an event commits after the statement has begun, the next statement relays the event.
 */
const relayEvents = (shareCtes: string) => `WITH RECURSIVE ${shareCtes}, taken AS (
    DELETE FROM outbox WHERE ctid = ANY (ARRAY(
      SELECT event.ctid FROM share CROSS JOIN LATERAL (
        SELECT ctid FROM outbox WHERE workspace_id = share.workspace_id
        ORDER BY number LIMIT share.events
      ) event
    ))
    RETURNING *
  ), event AS (
    SELECT taken.workspace_id, number, id, kind, resource_id, sequence, data, occurred_at,
      traceparent, fanned_out_to, taken.endpoint_id AS only_for, share.is_wide,
      share.fan_out, taken.position IS NULL AS is_new,
      coalesce(relayed_at, now()) AS relayed_at,
      coalesce(taken.position, share.position
        + count(*) FILTER (WHERE taken.position IS NULL) OVER same_workspace) AS position,
      row_number() OVER same_workspace = share.events AS has_more
    FROM taken JOIN share ON share.workspace_id = taken.workspace_id
    WINDOW same_workspace AS (PARTITION BY taken.workspace_id ORDER BY number)
  ), candidate AS (
    SELECT event.*, endpoint.id AS endpoint_id, endpoint.ordered,
      CASE WHEN event.only_for IS NULL THEN ${matchesKind('endpoint.events', 'event.kind')}
        AND coalesce(event.resource_id = ANY (endpoint.resource_ids), true)
        ELSE endpoint.id = event.only_for END AS matches
    FROM event CROSS JOIN LATERAL (
      -- With an equality of workspace_id, PostgreSQL might scan the index of ids, across all workspaces.
      SELECT id, events, resource_ids, ordered FROM webhook_endpoints
      WHERE (workspace_id, id) > (event.workspace_id, coalesce(event.fanned_out_to, '${NIL_UUID}'))
        AND workspace_id <= event.workspace_id
        AND (event.only_for IS NULL OR id = event.only_for)
      ORDER BY workspace_id, id LIMIT event.fan_out FOR KEY SHARE
    ) endpoint
  ), unfinished AS (
    INSERT INTO outbox (workspace_id, number, id, kind, resource_id, sequence, data, occurred_at,
      traceparent, endpoint_id, position, relayed_at, fanned_out_to)
    OVERRIDING SYSTEM VALUE
    SELECT workspace_id, number, id, kind, resource_id, sequence, data, occurred_at,
      traceparent, only_for, position, relayed_at, endpoint_id
    FROM (
      SELECT *, row_number() OVER (PARTITION BY workspace_id, number ORDER BY endpoint_id) AS rank
      FROM candidate WHERE is_wide
    ) candidate WHERE rank = fan_out
    RETURNING number
  ), published AS (
    INSERT INTO events (workspace_id, position, id, kind, resource_id, sequence, data,
      occurred_at, relayed_at, traceparent)
    SELECT workspace_id, position, id, kind, resource_id, sequence, data, occurred_at, relayed_at,
      traceparent
    FROM event WHERE is_new
  ), numbered AS (
    UPDATE workspace_feeds feed SET position = feed.position
      + (SELECT count(*) FROM event WHERE event.workspace_id = feed.workspace_id AND is_new)
    WHERE workspace_id = ANY (ARRAY(SELECT workspace_id FROM event WHERE is_new))
  ), delivery AS (
    INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
      event_relayed_at, event_id, kind, resource_id, sequence, is_ordered, due_at)
    -- The delivery of a test gets the id of its event, because the API has already returned this id.
    SELECT endpoint_id, CASE WHEN only_for IS NULL THEN uuidv7_at(now()) ELSE id END,
      workspace_id, position, relayed_at, id, kind,
      resource_id, sequence, ordered, now()
    FROM candidate WHERE matches
    RETURNING endpoint_id
  ), traffic AS (${lockSelectedTraffic('SELECT DISTINCT endpoint_id FROM delivery')}
  ), queued AS (${queueEndpoints('SELECT endpoint_id FROM traffic WHERE is_idle')}
  ), due_endpoint AS (
    SELECT endpoint_id AS "endpointId", health,
      (SELECT workspace_id FROM webhook_endpoints WHERE id = endpoint_id) AS "workspaceId"
    FROM queued
  )
  SELECT (SELECT workspace_id FROM visited WHERE cost >= ${WORKSPACES_PER_STATEMENT}) AS "resumeAfter",
    EXISTS (SELECT FROM event WHERE has_more) AS "hasMore",
    EXISTS (SELECT FROM outbox WHERE fanned_out_to IS NOT NULL) OR EXISTS (SELECT FROM unfinished)
      AS "hasUnfinished",
    (SELECT count(*) FROM event) > (SELECT count(*) FROM unfinished) AS "hasFinished",
    (SELECT count(*)::integer FROM event WHERE is_new) AS "relayedCount",
    (SELECT coalesce(json_agg(due_endpoint), '[]') FROM due_endpoint) AS "dueEndpoints",
    ARRAY(SELECT DISTINCT traceparent FROM event WHERE traceparent IS NOT NULL LIMIT ${MAX_TRACES})
      AS traceparents,
    CASE WHEN current_setting('synchronous_standby_names') <> ''
      THEN set_config('synchronous_commit', 'on', true) END AS "synchronousCommit"`;

export const RELAY_NEW_EVENTS = relayEvents(NEW_EVENTS_CTES);
export const RELAY_UNFINISHED_EVENTS = relayEvents(UNFINISHED_EVENTS_CTES);
