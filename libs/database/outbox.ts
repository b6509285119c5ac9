import type { DomainEvent } from '#events';
import { activeTraceparent } from '#tracing';
import { v7 as uuidv7 } from 'uuid';
import type { Query } from './connection/statements.js';

/** Returns the values of an event's outbox row, in the order of the parameters of `eventCte`. */
export const eventValues = ({ id = uuidv7(), kind, sequence, data, endpointId }: DomainEvent) =>
  [
    id,
    kind,
    data.workspaceId,
    data.id,
    sequence,
    JSON.stringify(data),
    endpointId ?? null,
    activeTraceparent(),
  ] as const;

/**
 * SQL that inserts the outbox row of an event if the CTE `changedCte` returns a row. The parameters begin at
 * `$<firstParameter>`.
 */
export function eventCte(changedCte: string, firstParameter: number): string {
  const types = ['uuid', 'text', 'uuid', 'uuid', 'integer', 'json', 'uuid', 'text'];
  const columns = types.map((type, index) => `$${firstParameter + index}::${type}`).join(', ');
  return `INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data, endpoint_id,
      traceparent)
    SELECT ${columns} FROM ${changedCte}`;
}

export async function insertEvents(query: Query, events: readonly DomainEvent[]): Promise<void> {
  await query(
    `INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data, endpoint_id,
       traceparent)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::integer[], $6::json[], $7::uuid[],
       $8::text[])`,
    // unnest takes columns, not rows.
    transpose(events.map(eventValues)),
  );
}

const transpose = (rows: readonly (readonly unknown[])[]) =>
  (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
