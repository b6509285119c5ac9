import { Injectable } from '@nestjs/common';
import { Database, firstIdAt, noEvent, UnitOfWork, type Query } from '#database';
import { DomainError } from '#errors';
import type { EventPattern } from '#events';
import { authorise, rightIn, type Actor, type CallerRow } from '#identity';
import { v7 as uuidv7 } from 'uuid';
import { Deliveries } from './deliveries.js';
import type { finishedStatuses } from './delivery.js';
import { healthOfFlow, type DueEndpoint } from './endpoint-health.js';
import { lockEndpoint, selectEndpoint } from './endpoint.js';
import { matchesKind } from './event-patterns.js';
import { LOCK_FLOWS, QUEUED_FOR } from './flows.js';

type FinishedStatus = (typeof finishedStatuses)[number];

/** Which of the deliveries that are over are to be made once more; those of other replays are not. */
export interface ReplayFilter {
  since: Date;
  /** All up to now when left out. */
  until?: Date;
  events?: EventPattern[];
  resourceId?: string;
  /** All when left out. */
  status?: FinishedStatus[];
}

export const replayStatuses = ['running', 'done', 'cancelled'] as const;
export type ReplayStatus = (typeof replayStatuses)[number];

/** Long work: a worker puts in so many at a time that live events hardly notice. */
export interface Replay {
  id: string;
  status: ReplayStatus;
  /** How many there were when it was asked for. */
  total: number;
  /** How many have been put in again; when all have, it is done, though some may still wait. */
  done: number;
  createdAt: Date;
  finishedAt: Date | null;
}

// Of a replay, not tried yet: as many as a window holds, so that a live event finds at most these in
// front of it. Those that wait for a retry, or for an earlier one of their resource, take nobody's
// place; but of the latter there is an end as well.
const AT_ONCE = 100;
const AT_MOST = 1_000;
// Rows of the log that one statement looks at, whether they match or not.
const LOOKED_AT = 5_000;
const PAUSE = '50 milliseconds';
// Between steps that find no room it is twice as long each time, so that replays to many endpoints
// that are disabled delay no other.
const LONGEST_PAUSE = '1 minute';
const SHOWN = 100;
// Later than all there is.
const END = new Date('2100-01-01T00:00:00Z');

const matches = (log: string, filter: string) => `(${filter}.events IS NULL
    OR ${matchesKind(`${filter}.events`, `${log}.kind`)})
  AND (${filter}.resource_id IS NULL OR ${log}.resource_id = ${filter}.resource_id)
  AND (${filter}.statuses IS NULL OR ${log}.status = ANY (${filter}.statuses))
  AND ${log}.replay_id IS NULL`;

const columns = `replay.id, replay.status, replay.total, replay.done,
  replay.created_at AS "createdAt", replay.finished_at AS "finishedAt"`;

const STEP = `WITH replay AS (
    SELECT * FROM webhook_replays WHERE id = $1 AND status = 'running' AND next_step_at <= now()
    FOR UPDATE SKIP LOCKED
  ), room AS (
    SELECT least(${AT_ONCE} - count(*) FILTER (WHERE due_at < 'infinity'), ${AT_MOST} - count(*))
      AS size
    FROM webhook_deliveries WHERE replay_id = $1 AND attempts = 0
  ), looked_at AS (
    SELECT log.*, ${matches('log', 'replay')}
      AND log.finished_at <= replay.created_at
      AND log.event_relayed_at > now() - $2 * interval '1 day' AS matches
    FROM replay CROSS JOIN room CROSS JOIN LATERAL (
      SELECT * FROM webhook_delivery_log log WHERE log.endpoint_id = replay.endpoint_id
        AND log.id > replay.reached AND log.id < replay.end_id
      ORDER BY log.id LIMIT CASE WHEN room.size > 0 THEN ${LOOKED_AT} ELSE 0 END
    ) log
  ), matched AS (
    SELECT *, row_number() OVER (ORDER BY id) AS rank FROM looked_at WHERE matches
  ), taken AS (
    SELECT * FROM matched WHERE rank <= (SELECT size FROM room)
  ), outcome AS (
    SELECT (SELECT count(*) FROM taken) AS done,
      room.size <= 0 OR (SELECT count(*) FROM matched) > room.size AS is_full,
      (SELECT count(*) FROM looked_at) < ${LOOKED_AT} AS is_end
    FROM replay CROSS JOIN room
  ), inserted AS (
    INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
      event_relayed_at, event_id, kind, resource_id, sequence, due_at, replay_id, is_ordered)
    SELECT endpoint_id, uuidv7_at(now()), workspace_id, event_position, event_relayed_at, event_id,
      kind, resource_id, sequence, now(), $1,
      (SELECT ordered FROM webhook_endpoints WHERE id = taken.endpoint_id)
    FROM taken
  ), progress AS (
    UPDATE webhook_replays replay SET done = replay.done + outcome.done,
      reached = coalesce(CASE WHEN outcome.is_full
        THEN (SELECT id FROM taken ORDER BY id DESC LIMIT 1)
        ELSE (SELECT id FROM looked_at ORDER BY id DESC LIMIT 1) END, replay.reached),
      status = CASE WHEN outcome.is_end AND NOT outcome.is_full THEN 'done' ELSE 'running' END,
      finished_at = CASE WHEN outcome.is_end AND NOT outcome.is_full THEN now() END,
      stalls = CASE WHEN outcome.is_full AND outcome.done = 0 THEN stalls + 1 ELSE 0 END,
      next_step_at = now() + CASE WHEN outcome.is_full AND outcome.done = 0
        THEN least(interval '${PAUSE}' * 2 ^ least(stalls, 11), interval '${LONGEST_PAUSE}')
        ELSE interval '${PAUSE}' END
    FROM outcome WHERE replay.id = $1
  )
  UPDATE webhook_flows SET queued = true, wake_at = now() + interval '${QUEUED_FOR}'
  WHERE endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM taken))
    AND NOT queued AND in_flight < window_size AND open_until <= now()
  RETURNING endpoint_id AS "endpointId", ${healthOfFlow('webhook_flows')} AS health,
    (SELECT workspace_id FROM taken LIMIT 1) AS "workspaceId"`;

/** Makes deliveries once more that are over, as new ones of the same events. */
@Injectable()
export class Replays {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly deliveries: Deliveries,
  ) {}

  /** How many deliveries a replay would make. */
  count(actor: Actor, endpointId: string, filter: ReplayFilter): Promise<{ count: number }> {
    return count(this.database.query, actor, endpointId, filter);
  }

  start(actor: Actor, endpointId: string, filter: ReplayFilter): Promise<Replay> {
    return this.unitOfWork.write(async ({ query, requireForReplay }) => {
      const { count: total } = await count(query, actor, endpointId, filter);
      const { workspaceId } = await lockEndpoint(query, actor, endpointId);
      requireForReplay(rightIn(workspaceId, 'admin'));
      const [replay] = await query<Replay>(
        `INSERT INTO webhook_replays AS replay
           (id, endpoint_id, reached, end_id, events, resource_id, statuses, total)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (endpoint_id) WHERE status = 'running' DO NOTHING
         RETURNING ${columns}`,
        [uuidv7(), endpointId, ...valuesOf(filter), total],
      );
      if (replay === undefined) {
        throw DomainError.conflict(
          'A replay of this webhook is still running; wait for its end, or cancel it.',
        );
      }
      return noEvent(replay, 'the events have been told of before');
    }, actor.once);
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
    // JSON knows no times.
    const data = authorise(row, 'admin', 'webhook').data.map((replay) => ({
      ...replay,
      createdAt: new Date(replay.createdAt),
      finishedAt: replay.finishedAt && new Date(replay.finishedAt),
    }));
    return { data };
  }

  /** What it has put in and is not under way is taken back, also when it is done. */
  async cancel(actor: Actor, endpointId: string, id: string): Promise<Replay> {
    const cancelled = await this.unitOfWork.write(async ({ query }) => {
      await lockEndpoint(query, actor, endpointId);
      const [replay] = await query<Replay & { isOpen: boolean }>(
        `SELECT ${columns}, status <> 'done' OR EXISTS (
           SELECT FROM webhook_deliveries WHERE replay_id = replay.id
         ) AS "isOpen" FROM webhook_replays replay WHERE id = $1 AND endpoint_id = $2 FOR UPDATE`,
        [id, endpointId],
      );
      if (replay === undefined) throw DomainError.notFound('replay');
      if (!replay.isOpen) {
        throw DomainError.conflict('The replay is over; there is nothing to cancel.');
      }
      const [row] = await query<Replay>(
        `UPDATE webhook_replays replay
         SET status = 'cancelled', finished_at = coalesce(finished_at, now())
         WHERE id = $1 RETURNING ${columns}`,
        [id],
      );
      return noEvent(row ?? replay, 'the subscriber does not want it');
    });
    await this.deliveries.cancelReplay(endpointId, id);
    return cancelled;
  }

  /** Carries on with the replay that is due the longest; gives the endpoints whose turn it is. */
  async step(keptDays: number): Promise<DueEndpoint[]> {
    const [next] = await this.database.query<{ id: string; endpointId: string }>(
      `SELECT id, endpoint_id AS "endpointId" FROM webhook_replays
       WHERE status = 'running' AND next_step_at <= now() ORDER BY next_step_at LIMIT 1`,
    );
    if (next === undefined) return [];
    return this.database.together<DueEndpoint>(
      [LOCK_FLOWS, [[next.endpointId]]],
      [STEP, [next.id, keptDays]],
    );
  }
}

async function count(
  query: Query,
  actor: Actor,
  endpointId: string,
  filter: ReplayFilter,
): Promise<{ count: number }> {
  if (filter.until && filter.until <= filter.since) {
    throw DomainError.invalid('until', 'until must be later than since');
  }
  const [row] = await query<CallerRow & { count: number }>(
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

/** What is after `since` and before `until`, by the ids of deliveries, and the rest of the filter. */
const valuesOf = ({ since, until = END, events, resourceId, status }: ReplayFilter) => [
  ...[firstIdAt(since), firstIdAt(until), events, resourceId, status],
];
