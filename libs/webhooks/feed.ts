import { Injectable } from '@nestjs/common';
import { Database } from '#database';
import type { EventKind } from '#events';
import {
  authoriseList,
  callerColumns,
  fromCallerIn,
  rolesFrom,
  type Actor,
  type CallerRow,
} from '#identity';

/** An event as its notification tells of it, and its place among those of the workspace. */
export interface FeedEvent {
  /** Counts the workspace's events without gaps. */
  position: number;
  /** The `webhook-id` of its notifications. */
  id: string;
  event: EventKind;
  timestamp: Date;
  resourceId: string;
  /** Counts the events of the resource without gaps. */
  sequence: number;
  data: unknown;
}

// A worker's commits do not wait for the disk: a crash of PostgreSQL takes back what is younger than
// three times wal_writer_delay, which is 0.6 s, and the same positions are given anew.
const SETTLED_AFTER = '1 second';

/** Lets a subscriber that was away find out what it has missed. */
@Injectable()
export class Feed {
  constructor(private readonly database: Database) {}

  /**
   * The events after a position, oldest first. An event that is committed late comes later: nothing
   * ever appears before a position that has been read. They are a second old. What befalls endpoints
   * is for admins; others see that there was something.
   */
  async read(
    actor: Actor,
    { workspaceId, after, limit }: { workspaceId: string; after: number; limit: number },
  ): Promise<{ data: FeedEvent[]; nextAfter: number }> {
    const rows = await this.database.query<CallerRow & FeedEvent & { isSettled: boolean }>(
      `SELECT ${callerColumns('workspace.id')}, page.* ${fromCallerIn('$2')}
       LEFT JOIN LATERAL (
         SELECT position::float8 AS position, id, kind AS event, occurred_at AS timestamp,
           resource_id AS "resourceId", sequence,
           CASE WHEN kind LIKE 'webhook.%' AND member.role NOT IN (${rolesFrom('admin')})
             THEN json_build_object('id', resource_id, 'workspaceId', events.workspace_id)
             ELSE data END AS data,
           relayed_at < now() - interval '${SETTLED_AFTER}' AS "isSettled"
         FROM events
         WHERE workspace_id = member.workspace_id AND events.position > $3
         ORDER BY events.position LIMIT $4
       ) page ON true
       WHERE caller.id = $1 ORDER BY page.position`,
      [actor.userId, workspaceId, after, limit],
    );
    const found = authoriseList(rows, 'viewer', 'workspace');
    const unsettled = found.findIndex(({ isSettled }) => !isSettled);
    const data = found
      .slice(0, unsettled === -1 ? undefined : unsettled)
      .map(({ isSettled, ...event }) => event);
    return { data, nextAfter: data.at(-1)?.position ?? after };
  }
}
