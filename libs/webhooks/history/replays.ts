import { Injectable } from '@nestjs/common';
import { Database, firstIdAt, noEvent, parseJsonTimes, UnitOfWork, type Query } from '#database';
import { DomainError } from '#errors';
import type { EventPattern } from '#events';
import type { LongJobProgress } from '#long-jobs';
import { authorise, rightIn, type Actor, type CallerRow, newIdFor } from '#workspaces';
import type { finishedStatuses } from './delivery.js';
import { lockEndpoint, selectEndpoint } from '../endpoints/endpoint.js';
import { PendingDeliveries } from '../delivery/pending-deliveries.js';
import { matchesReplayFilter } from '../delivery/replays/replay-filter.js';

type FinishedStatus = (typeof finishedStatuses)[number];

/**
 * Selects the finished deliveries to replay. Deliveries that were themselves created by a replay or a redelivery are
 * never selected.
 */
export interface ReplayFilter {
  since: Date;
  /** Defaults to now. */
  until?: Date;
  events?: EventPattern[];
  resourceId?: string;
  /** Defaults to all finished statuses. */
  status?: FinishedStatus[];
}

/** A long-running job that repeats finished deliveries. `done` counts the new deliveries that the job has created. */
export type Replay = LongJobProgress;

const MAX_LISTED_REPLAYS = 100;
// This time is later than the creation of any delivery.
const END_OF_TIME = new Date('2100-01-01T00:00:00Z');

const REPLAY_COLUMNS = `replay.id, replay.status, replay.total, replay.done,
  replay.created_at AS "createdAt", replay.finished_at AS "finishedAt"`;

/**
 * Counts, starts, lists and cancels replays. A replay repeats finished deliveries as new deliveries of the same events.
 */
@Injectable()
export class Replays {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly pendingDeliveries: PendingDeliveries,
  ) {}

  /** Counts the deliveries that a replay would repeat. */
  count(actor: Actor, endpointId: string, filter: ReplayFilter): Promise<{ count: number }> {
    return countMatchingDeliveries(this.database.query, actor, endpointId, filter);
  }

  start(actor: Actor, endpointId: string, filter: ReplayFilter): Promise<Replay> {
    return this.unitOfWork.write(async ({ query, requireForReplay }) => {
      const { count: total } = await countMatchingDeliveries(query, actor, endpointId, filter);
      const { workspaceId } = await lockEndpoint(query, actor, endpointId);
      requireForReplay(rightIn(workspaceId, 'admin'));
      const [replay] = await query<Replay>(
        `INSERT INTO webhook_replays AS replay
           (id, endpoint_id, reached, end_id, events, resource_id, statuses, total)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (endpoint_id) WHERE status = 'running' DO NOTHING
         RETURNING ${REPLAY_COLUMNS}`,
        [newIdFor(workspaceId), endpointId, ...toFilterParameters(filter), total],
      );
      if (replay === undefined) {
        throw new DomainError(
          'still_running',
          'A replay of this webhook is still running; wait until it is done, or cancel it.',
        );
      }
      return noEvent(replay, 'a replay repeats earlier events');
    }, actor.idempotencyKey);
  }

  /** Lists at most `MAX_LISTED_REPLAYS` replays, newest first. */
  async list(actor: Actor, endpointId: string): Promise<{ data: Replay[] }> {
    const [row] = await this.database.query<CallerRow & { data: Replay[] }>(
      selectEndpoint(`(
        SELECT coalesce(json_agg(replay ORDER BY replay.id DESC), '[]') FROM (
          SELECT ${REPLAY_COLUMNS} FROM webhook_replays replay WHERE replay.endpoint_id = endpoint.id
          ORDER BY replay.id DESC LIMIT ${MAX_LISTED_REPLAYS}
        ) replay
      ) AS data`),
      [actor.userId, endpointId],
    );
    const { data } = authorise(row, 'admin', 'webhook');
    return { data: data.map((replay) => parseJsonTimes(replay, 'createdAt', 'finishedAt')) };
  }

  /**
   * Cancels the replay and its pending deliveries, except deliveries in flight. A replay that is done can be cancelled
   * as long as it has pending deliveries.
   */
  async cancel(actor: Actor, endpointId: string, id: string): Promise<Replay> {
    const cancelled = await this.unitOfWork.write(async ({ query }) => {
      await lockEndpoint(query, actor, endpointId);
      const [replay] = await query<Replay & { isCancellable: boolean }>(
        `SELECT ${REPLAY_COLUMNS}, status <> 'done' OR EXISTS (
           SELECT FROM webhook_deliveries WHERE replay_id = replay.id
         ) AS "isCancellable" FROM webhook_replays replay WHERE id = $1 AND endpoint_id = $2 FOR UPDATE`,
        [id, endpointId],
      );
      if (replay === undefined) throw DomainError.notFound('replay');
      if (!replay.isCancellable) {
        throw new DomainError(
          'already_finished',
          'The replay is finished; there is nothing to cancel.',
        );
      }
      const [row] = await query<Replay>(
        `UPDATE webhook_replays replay
         SET status = 'cancelled', finished_at = coalesce(finished_at, now())
         WHERE id = $1 RETURNING ${REPLAY_COLUMNS}`,
        [id],
      );
      return noEvent(row ?? replay, 'only status changes of endpoints create events');
    });
    await this.pendingDeliveries.cancelReplay(endpointId, id);
    return cancelled;
  }
}

async function countMatchingDeliveries(
  query: Query,
  actor: Actor,
  endpointId: string,
  filter: ReplayFilter,
): Promise<{ count: number }> {
  const [row] = await query<CallerRow & { count: number }>(
    selectEndpoint(`(
      SELECT count(*)::integer FROM webhook_delivery_log log,
        (VALUES ($5::text[], $6::uuid, $7::text[])) filter (events, resource_id, statuses)
      WHERE log.endpoint_id = endpoint.id AND log.id > $3 AND log.id < $4
        AND ${matchesReplayFilter('log', 'filter')}
    ) AS count`),
    [actor.userId, endpointId, ...toFilterParameters(filter)],
  );
  const { count } = authorise(row, 'admin', 'webhook');
  if (filter.until && filter.until <= filter.since) {
    throw DomainError.invalid('until', 'until must be later than since');
  }
  return { count };
}

/**
 * Converts the filter to statement parameters. Delivery ids begin with their creation time, so `since` and `until`
 * become ids.
 */
const toFilterParameters = ({
  since,
  until = END_OF_TIME,
  events,
  resourceId,
  status,
}: ReplayFilter) => [firstIdAt(since), firstIdAt(until), events, resourceId, status];
