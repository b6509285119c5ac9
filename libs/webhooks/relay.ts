import { Injectable } from '@nestjs/common';
import { Database } from '#database';
import { healthOfFlow, type DueEndpoint } from './endpoint-health.js';
import { matchesKind } from './event-patterns.js';
import { queuedFor } from './flows.js';

// Deliveries that one statement makes, shared by the workspaces that have events. Few enough that it
// takes some 15 ms: other workspaces wait for its end, and share the processors of PostgreSQL with it.
const DELIVERIES = 500;
// The same of one event: with as many workspaces as a statement takes it is their equal part. If the
// workspace has more endpoints, the event is unfinished, and other statements make its other deliveries.
const FAN_OUT = 25;
// Deliveries of unfinished events that one statement makes, shared by so many workspaces.
const UNFINISHED_DELIVERIES = 100;
const UNFINISHED_WORKSPACES = 10;
const WORKSPACES = 20;
// Of the cost of a workspace whose events are relayed.
const COST_OF_PASSING_OVER = 0.2;

const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * New events. Workspaces with an unfinished event are passed over, so that their events are relayed in
 * order. Of a workspace with more than `FAN_OUT` endpoints one event is taken at a time: a
 * second one could overtake the rest of the first.
 */
const NEW_EVENTS = `busy AS (
    SELECT $1::uuid AS workspace_id, true AS is_passed_over, 0::float8 AS cost
    UNION ALL
    SELECT next.*, busy.cost + CASE WHEN is_unfinished THEN ${COST_OF_PASSING_OVER} ELSE 1 END
    FROM busy CROSS JOIN LATERAL (
      -- No EXISTS, which PostgreSQL would make a look at all unfinished events.
      SELECT workspace_id, 0 < (
        SELECT count(*) FROM (
          SELECT FROM outbox unfinished WHERE unfinished.workspace_id = outbox.workspace_id
            AND unfinished.fanned_out_to IS NOT NULL LIMIT 1
        ) unfinished
      ) AS is_unfinished
      FROM outbox WHERE workspace_id > busy.workspace_id ORDER BY workspace_id LIMIT 1
    ) next WHERE busy.cost < ${WORKSPACES}
  ), feed AS (
    SELECT workspace_id, position FROM workspace_feeds
    WHERE workspace_id = ANY (ARRAY(SELECT workspace_id FROM busy WHERE NOT is_passed_over))
    FOR UPDATE SKIP LOCKED
  ), share AS MATERIALIZED (
    SELECT feed.workspace_id, feed.position, ${FAN_OUT} AS part,
      endpoints.count > ${FAN_OUT} AS is_wide,
      CASE WHEN endpoints.count > ${FAN_OUT} THEN 1 ELSE greatest(1,
        ${DELIVERIES} / (SELECT count(*) FROM feed) / greatest(1, endpoints.count)) END AS events
    FROM feed CROSS JOIN LATERAL (
      SELECT count(*) FROM (
        SELECT FROM webhook_endpoints WHERE workspace_id = feed.workspace_id LIMIT ${FAN_OUT} + 1
      ) endpoint
    ) endpoints
  )`;

/** The rest of unfinished events. */
const UNFINISHED_EVENTS = `busy AS (
    SELECT $1::uuid AS workspace_id, 0::float8 AS cost
    UNION ALL
    SELECT next.workspace_id, busy.cost + ${WORKSPACES} / ${UNFINISHED_WORKSPACES}.0
    FROM busy CROSS JOIN LATERAL (
      SELECT workspace_id FROM outbox
      WHERE workspace_id > busy.workspace_id AND fanned_out_to IS NOT NULL
      ORDER BY workspace_id LIMIT 1
    ) next WHERE busy.cost < ${WORKSPACES}
  ), feed AS (
    SELECT workspace_id, position FROM workspace_feeds
    WHERE workspace_id = ANY (ARRAY(SELECT workspace_id FROM busy)) FOR UPDATE SKIP LOCKED
  ), share AS MATERIALIZED (
    SELECT workspace_id, position, ${UNFINISHED_DELIVERIES} / (SELECT count(*) FROM feed) AS part,
      true AS is_wide, 1 AS events
    FROM feed
  )`;

/**
 * Whoever holds the row of a workspace's feed relays its events, and nobody else meanwhile: they
 * are numbered in the order in which they become visible, and two of one resource keep theirs.
 * Workspaces take turns, so that one with a long outbox delays no other.
 *
 * The next statement takes events that are committed after this one has begun. An event that another
 * relay takes meanwhile is not relayed twice: only rows that this statement itself deletes count.
 */
const relay = (shares: string) => `WITH RECURSIVE ${shares}, taken AS (
    DELETE FROM outbox WHERE ctid = ANY (ARRAY(
      SELECT event.ctid FROM share CROSS JOIN LATERAL (
        SELECT ctid FROM outbox WHERE workspace_id = share.workspace_id
        ORDER BY number LIMIT share.events
      ) event
    ))
    RETURNING *
  ), event AS (
    SELECT taken.workspace_id, number, id, kind, resource_id, sequence, data, occurred_at,
      fanned_out_to, taken.endpoint_id AS only_for, share.is_wide, share.part, taken.position IS NULL AS is_new,
      coalesce(relayed_at, now()) AS relayed_at,
      coalesce(taken.position, share.position
        + count(*) FILTER (WHERE taken.position IS NULL) OVER same_workspace) AS position,
      row_number() OVER same_workspace = share.events AS has_more
    FROM taken JOIN share ON share.workspace_id = taken.workspace_id
    WINDOW same_workspace AS (PARTITION BY taken.workspace_id ORDER BY number)
  ), wish AS (
    SELECT event.*, endpoint.id AS endpoint_id, endpoint.ordered, CASE WHEN event.only_for IS NULL THEN ${matchesKind('endpoint.events', 'event.kind')}
        AND coalesce(event.resource_id = ANY (endpoint.resource_ids), true)
        ELSE endpoint.id = event.only_for END AS matches
    FROM event CROSS JOIN LATERAL (
      -- With an equal workspace_id, PostgreSQL may walk over the ids of all workspaces.
      SELECT id, events, resource_ids, ordered FROM webhook_endpoints
      WHERE (workspace_id, id) > (event.workspace_id, coalesce(event.fanned_out_to, '${NOBODY}'))
        AND workspace_id <= event.workspace_id
        AND (event.only_for IS NULL OR id = event.only_for)
      ORDER BY workspace_id, id LIMIT event.part FOR KEY SHARE
    ) endpoint
  ), unfinished AS (
    INSERT INTO outbox (workspace_id, number, id, kind, resource_id, sequence, data, occurred_at,
      endpoint_id, position, relayed_at, fanned_out_to)
    OVERRIDING SYSTEM VALUE
    SELECT workspace_id, number, id, kind, resource_id, sequence, data, occurred_at,
      only_for, position, relayed_at, endpoint_id
    FROM (
      SELECT *, row_number() OVER (PARTITION BY workspace_id, number ORDER BY endpoint_id) AS rank
      FROM wish WHERE is_wide
    ) wish WHERE rank = part
    RETURNING number
  ), published AS (
    INSERT INTO events (workspace_id, position, id, kind, resource_id, sequence, data,
      occurred_at, relayed_at)
    SELECT workspace_id, position, id, kind, resource_id, sequence, data, occurred_at, relayed_at
    FROM event WHERE is_new
  ), numbered AS (
    UPDATE workspace_feeds feed SET position = feed.position
      + (SELECT count(*) FROM event WHERE event.workspace_id = feed.workspace_id AND is_new)
    WHERE workspace_id = ANY (ARRAY(SELECT workspace_id FROM event WHERE is_new))
  ), delivery AS (
    INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
      event_relayed_at, event_id, kind, resource_id, sequence, is_ordered, due_at)
    -- Who asks for a test is told the id of its delivery before there is one.
    SELECT endpoint_id, CASE WHEN only_for IS NULL THEN uuidv7_at(now()) ELSE id END,
      workspace_id, position, relayed_at, id, kind,
      resource_id, sequence, ordered, now()
    FROM wish WHERE matches
    RETURNING endpoint_id
  ), flow AS (
    SELECT endpoint_id, NOT queued AND in_flight < window_size AND open_until <= now() AS is_free
    FROM webhook_flows
    WHERE endpoint_id = ANY (ARRAY(SELECT DISTINCT endpoint_id FROM delivery))
    ORDER BY endpoint_id FOR UPDATE
  ), turn AS (
    UPDATE webhook_flows SET queued = true, wake_at = now() + ${queuedFor('webhook_flows')}
    WHERE endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM flow WHERE is_free))
    RETURNING endpoint_id AS "endpointId", ${healthOfFlow('webhook_flows')} AS health,
      (SELECT workspace_id FROM webhook_endpoints WHERE id = endpoint_id) AS "workspaceId"
  )
  SELECT (SELECT workspace_id FROM busy WHERE cost >= ${WORKSPACES}) AS "stoppedAt",
    EXISTS (SELECT FROM event WHERE has_more) AS more,
    EXISTS (SELECT FROM outbox WHERE fanned_out_to IS NOT NULL) OR EXISTS (SELECT FROM unfinished)
      AS "hasUnfinished",
    (SELECT count(*) FROM event) > (SELECT count(*) FROM unfinished) AS "hasFinished",
    (SELECT coalesce(json_agg(turn), '[]') FROM turn) AS turns`;

const RELAY_NEW = relay(NEW_EVENTS);
const RELAY_UNFINISHED = relay(UNFINISHED_EVENTS);

interface Relayed {
  stoppedAt: string | null;
  more: boolean;
  hasUnfinished: boolean;
  hasFinished: boolean;
  turns: DueEndpoint[];
}

/** Moves events from the outbox to their workspace's feed, with a delivery for each endpoint that wants them. */
@Injectable()
export class Relay {
  constructor(private readonly database: Database) {}

  /** A walk over the workspaces that have new events. Several may walk at the same time. */
  walk(): RelayWalk {
    return new RelayWalk(this.database, RELAY_NEW);
  }

  /** A walk over the workspaces that have an unfinished event. */
  walkUnfinished(): RelayWalk {
    return new RelayWalk(this.database, RELAY_UNFINISHED);
  }
}

export class RelayWalk {
  private startAfter = NOBODY;

  constructor(
    private readonly database: Database,
    private readonly statement: string,
  ) {}

  /**
   * Relays a batch; gives the endpoints that have something due now, whether there may be more for this
   * walk to relay, whether any event is unfinished, and whether this batch has finished one.
   */
  async relay(): Promise<Omit<Relayed, 'stoppedAt'>> {
    const [relayed] = await this.database.query<Relayed>(this.statement, [this.startAfter]);
    if (relayed === undefined) throw new Error('A statement without FROM gave no row.');
    const { stoppedAt, ...result } = relayed;
    // Behind a walk that took several statements there may be a new event, of which a signal came meanwhile.
    const isWholeWalk = this.startAfter === NOBODY && stoppedAt === null;
    this.startAfter = stoppedAt ?? NOBODY;
    return { ...result, more: result.more || !isWholeWalk };
  }
}
