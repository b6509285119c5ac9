import { Injectable } from '@nestjs/common';
import { Database } from '#database';
import { healthOfFlow, type DueEndpoint } from './endpoint-health.js';
import { matchesKind } from './event-patterns.js';

// Deliveries that one statement makes, shared by the workspaces that have events. Few enough that it
// takes some 15 ms: other workspaces wait for its end, and share the processors of PostgreSQL with it.
const DELIVERIES = 500;
// The same of one event: with as many workspaces as a statement takes it is their equal part. If more
// endpoints want the event, the next statements make the other deliveries. The same for all statements,
// because two run beside each other: one that took more could overtake what the other has left.
const FAN_OUT = 25;
const WORKSPACES = 20;
// How long a new turn's job is trusted to turn up: its relay may die before it is put in.
const RELAYED_FOR = '10 seconds';

const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * Whoever holds the row of a workspace's feed relays its events, and nobody else meanwhile: they
 * are numbered in the order in which they become visible, and two of one resource keep theirs.
 * Workspaces take turns, so that one with a long outbox delays no other.
 *
 * What was committed since the statement began is left to the next one. What another relay has
 * taken since is not taken again, since only rows that this one deletes count.
 */
const RELAY = `WITH RECURSIVE busy AS (
    (SELECT workspace_id, 1 AS rank FROM outbox WHERE workspace_id > $1
     ORDER BY workspace_id LIMIT 1)
    UNION ALL
    SELECT next.workspace_id, busy.rank + 1 FROM busy CROSS JOIN LATERAL (
      SELECT workspace_id FROM outbox WHERE workspace_id > busy.workspace_id
      ORDER BY workspace_id LIMIT 1
    ) next WHERE busy.rank < ${WORKSPACES}
  ), feed AS (
    SELECT workspace_id, position FROM workspace_feeds
    WHERE workspace_id = ANY (ARRAY(SELECT workspace_id FROM busy)) FOR UPDATE SKIP LOCKED
  ), share AS MATERIALIZED (
    SELECT feed.workspace_id, feed.position, endpoints.count = ${FAN_OUT} AS is_wide,
      CASE endpoints.count WHEN ${FAN_OUT} THEN 1 ELSE greatest(1,
        ${DELIVERIES} / (SELECT count(*) FROM feed) / greatest(1, endpoints.count)) END AS events
    FROM feed CROSS JOIN LATERAL (
      SELECT count(*) FROM (
        SELECT FROM webhook_endpoints WHERE workspace_id = feed.workspace_id LIMIT ${FAN_OUT}
      ) endpoint
    ) endpoints
  ), taken AS (
    DELETE FROM outbox WHERE ctid = ANY (ARRAY(
      SELECT event.ctid FROM share CROSS JOIN LATERAL (
        SELECT ctid FROM outbox WHERE workspace_id = share.workspace_id
        ORDER BY number LIMIT share.events
      ) event
    ))
    RETURNING *
  ), event AS (
    SELECT taken.workspace_id, number, id, kind, resource_id, sequence, data, occurred_at,
      fanned_out_to, taken.endpoint_id AS only_for, share.is_wide, taken.position IS NULL AS is_new,
      coalesce(relayed_at, now()) AS relayed_at,
      coalesce(taken.position, share.position + row_number() OVER same_workspace) AS position,
      row_number() OVER same_workspace = share.events AS has_more
    FROM taken JOIN share ON share.workspace_id = taken.workspace_id
    WINDOW same_workspace AS (PARTITION BY taken.workspace_id ORDER BY number)
  ), wish AS (
    SELECT event.*, endpoint.id AS endpoint_id, endpoint.ordered, CASE WHEN event.only_for IS NULL THEN ${matchesKind('endpoint.events', 'event.kind')}
        AND coalesce(event.resource_id = ANY (endpoint.resource_ids), true)
        ELSE endpoint.id = event.only_for END AS matches
    FROM event CROSS JOIN LATERAL (
      SELECT id, events, resource_ids, ordered FROM webhook_endpoints
      WHERE workspace_id = event.workspace_id
        AND id > coalesce(event.fanned_out_to, '${NOBODY}')
        AND (event.only_for IS NULL OR id = event.only_for)
      ORDER BY id LIMIT ${FAN_OUT} FOR KEY SHARE
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
    ) wish WHERE rank = ${FAN_OUT}
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
    UPDATE webhook_flows SET queued = true, wake_at = now() + interval '${RELAYED_FOR}'
    WHERE endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM flow WHERE is_free))
    RETURNING endpoint_id AS "endpointId", ${healthOfFlow('webhook_flows')} AS health,
      (SELECT workspace_id FROM webhook_endpoints WHERE id = endpoint_id) AS "workspaceId"
  )
  SELECT (SELECT workspace_id FROM busy WHERE rank = ${WORKSPACES}) AS "stoppedAt",
    EXISTS (SELECT FROM event) AS some,
    EXISTS (SELECT FROM event WHERE has_more) OR EXISTS (SELECT FROM unfinished) AS more,
    (SELECT coalesce(json_agg(turn), '[]') FROM turn) AS turns`;

interface Relayed {
  stoppedAt: string | null;
  some: boolean;
  more: boolean;
  turns: DueEndpoint[];
}

/** Moves events from the outbox to their workspace's feed, with a delivery for each endpoint that wants them. */
@Injectable()
export class Relay {
  constructor(private readonly database: Database) {}

  /** A walk over the workspaces that have events. Several may walk at the same time. */
  walk(): RelayWalk {
    return new RelayWalk(this.database);
  }
}

export class RelayWalk {
  private startAfter = NOBODY;

  constructor(private readonly database: Database) {}

  /**
   * Relays a batch; gives the endpoints that have something due now, and whether there may be more to
   * relay, such as the rest of an event that very many endpoints want.
   */
  async relay(): Promise<{ turns: DueEndpoint[]; more: boolean }> {
    const isFromStart = this.startAfter === NOBODY;
    const [relayed] = await this.database.query<Relayed>(RELAY, [this.startAfter]);
    if (relayed === undefined) throw new Error('A statement without FROM gave no row.');
    this.startAfter = relayed.stoppedAt ?? NOBODY;
    const { some, turns } = relayed;
    return { turns, more: relayed.more || (some && relayed.stoppedAt !== null) || !isFromStart };
  }
}
