import type { TestDatabase } from '../galley/database.js';

/** Adds events to the outbox, as if a request had committed this many changes. */
export const addEvents = (
  database: TestDatabase,
  count: number,
  workspace: { id: string },
): Promise<object[]> =>
  database.query(
    `INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data)
     SELECT gen_random_uuid(), 'template.created', $2, gen_random_uuid(), 1, '{}'
     FROM generate_series(1, $1::integer)`,
    [count, workspace.id],
  );
