import { Injectable } from '@nestjs/common';
import { Database, Reads } from '#database';
import type { EventKind } from '#events';
import {
  authoriseList,
  callerColumns,
  fromCallerInWorkspace,
  rolesAtLeast,
  type Actor,
  type CallerRow,
} from '#workspaces';

/** An event with the content of its notifications and its position in the feed. */
export interface FeedEvent {
  /** The position in the workspace's feed, from 1 and without gaps. */
  position: number;
  /** The `webhook-id` of the event's notifications. */
  id: string;
  event: EventKind;
  timestamp: Date;
  resourceId: string;
  /** The position in the resource's own sequence, from 1 and without gaps. */
  sequence: number;
  data: unknown;
}

// Events younger than this are not returned. Workers commit asynchronously: if PostgreSQL crashes, the commits of the
// last 0.6 s (three times `wal_writer_delay`) may be lost, and the positions of the lost events are assigned to other
// events.
const DURABILITY_DELAY = '1 second';

/** Lets subscribers catch up on events that they missed. */
@Injectable()
export class EventFeed {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
  ) {}

  /**
   * Reads the events after a position, oldest first. An event appears as soon as it is `DURABILITY_DELAY` old. An event that
   * commits late gets a later position, so a client that continues from the last position never misses an event. Only
   * admins see the data of an endpoint's status events; other callers see only ids.
   *
   * Always reads from the primary, because a replica may still lack events that an earlier read has returned.
   * `remember` lets the caller's later reads see the changes that the returned events describe.
   */
  async read(
    actor: Actor,
    { workspaceId, after, limit }: { workspaceId: string; after: number; limit: number },
  ): Promise<{ data: FeedEvent[]; nextAfter: number }> {
    const rows = await this.database.query<CallerRow & FeedEvent & { isDurable: boolean }>(
      `SELECT ${callerColumns('workspace.id')}, page.* ${fromCallerInWorkspace('$2')}
       LEFT JOIN LATERAL (
         SELECT position::float8 AS position, id, kind AS event, occurred_at AS timestamp,
           resource_id AS "resourceId", sequence,
           CASE WHEN kind LIKE 'webhook.%' AND member.role NOT IN (${rolesAtLeast('admin')})
             THEN json_build_object('id', resource_id, 'workspaceId', events.workspace_id)
             ELSE data END AS data,
           relayed_at < now() - interval '${DURABILITY_DELAY}' AS "isDurable"
         FROM events
         WHERE workspace_id = member.workspace_id AND events.position > $3
         ORDER BY events.position LIMIT $4
       ) page ON true
       WHERE caller.id = $1 ORDER BY page.position`,
      [actor.userId, workspaceId, after, limit],
    );
    const events = authoriseList(rows, 'viewer', 'workspace');
    await this.reads.remember(actor.userId);
    const firstNotDurable = events.findIndex(({ isDurable }) => !isDurable);
    const data = events
      .slice(0, firstNotDurable === -1 ? undefined : firstNotDurable)
      .map(({ isDurable, ...event }) => event);
    return { data, nextAfter: data.at(-1)?.position ?? after };
  }
}
