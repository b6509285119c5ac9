import { Injectable } from '@nestjs/common';
import { Database, firstIdAt, noEvent, UnitOfWork } from '#database';
import { DomainError } from '#errors';
import type { SubscribableKind } from '#events';
import { authorise, type Actor, type CallerRow } from '#identity';
import { v7 as uuidv7 } from 'uuid';
import type { finishedStatuses } from './delivery-log.js';
import { lockEndpoint, selectEndpoint } from './endpoint.js';
import { LOCK_FLOWS, QUEUED_FOR } from './turns.js';

type FinishedStatus = (typeof finishedStatuses)[number];

/** Which of the deliveries that are over are to be made once more. */
export interface ReplayFilter {
  since: Date;
  /** Up to now when left out. */
  until?: Date;
  events?: SubscribableKind[];
  resourceId?: string;
  /** All when left out. */
  status?: FinishedStatus[];
}

/** Long work: a worker puts in so many at a time that live events hardly notice. */
export interface Replay {
  id: string;
  status: 'running' | 'done' | 'cancelled';
  /** How many there were when it was asked for. */
  total: number;
  /** How many have been put in again. */
  done: number;
  createdAt: Date;
  finishedAt: Date | null;
}

// Of one replay, waiting or under way: as many as a window holds, so that a live event finds at most
// these in front of it.
const AT_ONCE = 100;
// Rows of the log that one statement looks at, whether they match or not.
const LOOKED_AT = 5_000;
const PAUSE = '50 milliseconds';
// When as many as may be are still waiting: its endpoint is slow, or disabled.
const PAUSE_WITHOUT_ROOM = '1 second';
const SHOWN = 100;

const matches = (log: string, filter: string) => `(${filter}.events IS NULL
    OR ${log}.kind = ANY (${filter}.events))
  AND (${filter}.resource_id IS NULL OR ${log}.resource_id = ${filter}.resource_id)
  AND (${filter}.statuses IS NULL OR ${log}.status = ANY (${filter}.statuses))`;

const columns = `replay.id, replay.status, replay.total, replay.done,
  replay.created_at AS "createdAt", replay.finished_at AS "finishedAt"`;

const STEP = `WITH replay AS (
    SELECT * FROM webhook_replays WHERE id = $1 AND status = 'running' AND next_step_at <= now()
    FOR UPDATE SKIP LOCKED
  ), room AS (
    SELECT ${AT_ONCE} - count(*) AS size FROM webhook_deliveries WHERE replay_id = $1
  ), looked_at AS (
    SELECT log.*, ${matches('log', 'replay')}
      AND log.event_relayed_at > now() - $2 * interval '1 day' AS matches
    FROM replay CROSS JOIN LATERAL (
      SELECT * FROM webhook_delivery_log log WHERE log.endpoint_id = replay.endpoint_id
        AND log.id > replay.reached AND log.id < replay.end_id
      ORDER BY log.id LIMIT ${LOOKED_AT}
    ) log
  ), matched AS (
    SELECT *, row_number() OVER (ORDER BY id) AS rank FROM looked_at WHERE matches
  ), taken AS (
    SELECT * FROM matched WHERE rank <= (SELECT size FROM room)
  ), outcome AS (
    SELECT (SELECT count(*) FROM taken) AS done,
      (SELECT count(*) FROM matched) > (SELECT size FROM room) AS is_full,
      (SELECT count(*) FROM looked_at) < ${LOOKED_AT} AS is_end
    FROM replay
  ), inserted AS (
    INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
      event_relayed_at, event_id, kind, resource_id, sequence, due_at, replay_id)
    SELECT endpoint_id, uuidv7_at(now()), workspace_id, event_position, event_relayed_at, event_id,
      kind, resource_id, sequence, now(), $1
    FROM taken
  ), progress AS (
    UPDATE webhook_replays replay SET done = replay.done + outcome.done,
      reached = coalesce(CASE WHEN outcome.is_full
        THEN (SELECT id FROM taken ORDER BY id DESC LIMIT 1)
        ELSE (SELECT id FROM looked_at ORDER BY id DESC LIMIT 1) END, replay.reached),
      status = CASE WHEN outcome.is_end AND NOT outcome.is_full THEN 'done' ELSE 'running' END,
      finished_at = CASE WHEN outcome.is_end AND NOT outcome.is_full THEN now() END,
      next_step_at = now() + CASE WHEN outcome.is_full AND outcome.done = 0
        THEN interval '${PAUSE_WITHOUT_ROOM}' ELSE interval '${PAUSE}' END
    FROM outcome WHERE replay.id = $1
  )
  UPDATE webhook_flows SET queued = true, wake_at = now() + interval '${QUEUED_FOR}'
  WHERE endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM taken))
    AND NOT queued AND in_flight < window_size AND open_until <= now()
  RETURNING endpoint_id AS "endpointId"`;

/** Makes deliveries once more that are over, as new ones of the same events. */
@Injectable()
export class Replays {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** How many deliveries a replay would make. */
  async count(actor: Actor, endpointId: string, filter: ReplayFilter): Promise<{ count: number }> {
    const [row] = await this.database.query<CallerRow & { count: number }>(
      selectEndpoint(`(
        SELECT count(*)::integer FROM webhook_delivery_log log,
          (VALUES ($5::text[], $6::uuid, $7::text[])) filter (events, resource_id, statuses)
        WHERE log.endpoint_id = endpoint.id AND log.id > $3 AND log.id < $4
          AND ${matches('log', 'filter')}
      ) AS count`),
      [actor.userId, endpointId, ...valuesOf(filter)],
    );
    return { count: authorise(row, 'admin', 'webhook').count };
  }

  async start(actor: Actor, endpointId: string, filter: ReplayFilter): Promise<Replay> {
    // The end is fixed, so that a replay never finds what it has made.
    const fixed = { ...filter, until: filter.until ?? new Date() };
    const { count } = await this.count(actor, endpointId, fixed);
    return this.unitOfWork.write(async ({ query }) => {
      await lockEndpoint(query, actor, endpointId);
      const [replay] = await query<Replay>(
        `INSERT INTO webhook_replays AS replay
           (id, endpoint_id, reached, end_id, events, resource_id, statuses, total)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${columns}`,
        [uuidv7(), endpointId, ...valuesOf(fixed), count],
      );
      if (replay === undefined) throw new Error('An INSERT gave no row.');
      return noEvent(replay, 'the events have been told of before');
    });
  }

  /** The latest, newest first. */
  async list(actor: Actor, endpointId: string): Promise<{ data: Replay[] }> {
    const [row] = await this.database.query<CallerRow & { data: Replay[] }>(
      selectEndpoint(`(
        SELECT coalesce(json_agg(replay ORDER BY replay.id DESC), '[]') FROM (
          SELECT ${columns} FROM webhook_replays replay WHERE replay.endpoint_id = endpoint.id
          ORDER BY replay.id DESC LIMIT ${SHOWN}
        ) replay
      ) AS data`),
      [actor.userId, endpointId],
    );
    return { data: authorise(row, 'admin', 'webhook').data };
  }

  /** What it has put in and is not under way is taken back. */
  async cancel(actor: Actor, endpointId: string, id: string): Promise<Replay> {
    return this.unitOfWork.write(async ({ query }) => {
      await lockEndpoint(query, actor, endpointId);
      await query(LOCK_FLOWS, [[endpointId]]);
      const [replay] = await query<Replay>(
        `UPDATE webhook_replays replay SET finished_at = coalesce(finished_at, now()),
           status = CASE status WHEN 'running' THEN 'cancelled' ELSE status END
         WHERE id = $1 AND endpoint_id = $2 RETURNING ${columns}`,
        [id, endpointId],
      );
      if (replay === undefined) throw DomainError.notFound('replay');
      if (replay.status === 'done') {
        throw DomainError.conflict('The replay is over; there is nothing to cancel.');
      }
      await query(
        `DELETE FROM webhook_deliveries
         WHERE replay_id = $1 AND claimed_until IS NULL`,
        [id],
      );
      return noEvent(replay, 'the subscriber does not want it');
    });
  }

  /** Carries on with the replay that is due the longest; gives the endpoints whose turn it is. */
  async step(keptDays: number): Promise<string[]> {
    const [next] = await this.database.query<{ id: string; endpointId: string }>(
      `SELECT id, endpoint_id AS "endpointId" FROM webhook_replays
       WHERE status = 'running' AND next_step_at <= now() ORDER BY next_step_at LIMIT 1`,
    );
    if (next === undefined) return [];
    const turns = await this.database.together<{ endpointId: string }>(
      [LOCK_FLOWS, [[next.endpointId]]],
      [STEP, [next.id, keptDays]],
    );
    return turns.map(({ endpointId }) => endpointId);
  }
}

/** What is after `since` and before `until`, by the ids of deliveries, and the rest of the filter. */
const valuesOf = ({ since, until = new Date(), events, resourceId, status }: ReplayFilter) => [
  ...[firstIdAt(since), firstIdAt(until), events, resourceId, status],
];
