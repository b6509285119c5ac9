import type { DomainEvent } from '#events';
import { activeTraceparent } from '#tracing';
import { v7 as uuidv7 } from 'uuid';
import type { Query } from './connection/statements.js';

const toRow = ({ id = uuidv7(), kind, sequence, data, endpointId }: DomainEvent) =>
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
 * Returns the text and the parameter values of a common table expression that inserts the outbox row of the
 * event if the expression `changedCte` returns a row. The parameters begin at `$<firstParameter>`.
 */
export function eventCte(event: DomainEvent, changedCte: string, firstParameter: number) {
  const values = toRow(event);
  const types = ['uuid', 'text', 'uuid', 'uuid', 'integer', 'json', 'uuid', 'text'];
  const columns = types.map((type, index) => `$${firstParameter + index}::${type}`).join(', ');
  const text = `INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data, endpoint_id,
      traceparent)
    SELECT ${columns} FROM ${changedCte}`;
  return { text, values };
}

/** Inserts an outbox row for each event. */
export async function insertEvents(query: Query, events: readonly DomainEvent[]): Promise<void> {
  await query(
    `INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data, endpoint_id,
       traceparent)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::integer[], $6::json[], $7::uuid[],
       $8::text[])`,
    // unnest takes columns, not rows.
    columnsOf(events.map(toRow)),
  );
}

const columnsOf = (rows: readonly (readonly unknown[])[]) =>
  (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
