import type { DomainEvent } from '#events';
import { v7 as uuidv7 } from 'uuid';
import type { Query } from './database.js';

/** One row for each event. */
export async function insertEvents(query: Query, events: readonly DomainEvent[]): Promise<void> {
  await query(
    `INSERT INTO outbox (id, kind, workspace_id, resource_id, data)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::json[])`,
    [
      events.map(() => uuidv7()),
      events.map(({ kind }) => kind),
      events.map(({ data }) => data.workspaceId),
      events.map(({ data }) => data.id),
      events.map(({ data }) => JSON.stringify(data)),
    ],
  );
}
