import { Database } from '#database';
import { eventually } from '../../support/eventually.js';
import type { PreparedDatabase } from './prepared-database.js';

/**
 * Runs a statement while another worker's transaction holds the lock of the row of an endpoint or of its
 * traffic. That transaction has changed the row with `change`, which has the endpoint's id as $1. It
 * commits once the statement waits for the lock.
 */
export async function runWhileLocked<Result>(
  database: PreparedDatabase,
  table: 'webhook_traffic' | 'webhook_endpoints',
  endpointId: string,
  run: () => Promise<Result>,
  change: string,
): Promise<Result> {
  const { promise } = await database.get(Database).withClient(async (client) => {
    await client.query('BEGIN');
    const column = table === 'webhook_traffic' ? 'endpoint_id' : 'id';
    await client.query(`SELECT FROM ${table} WHERE ${column} = $1 FOR UPDATE`, [endpointId]);
    await client.query(change, [endpointId]);
    const running = { promise: run() };
    await untilOneWaits(database);
    await client.query('COMMIT');
    return running;
  });
  return promise;
}

const untilOneWaits = (database: PreparedDatabase) =>
  eventually('the statement to wait for the lock', async () => {
    const waiting = await database.query(
      `SELECT FROM pg_locks WHERE NOT granted AND pid IN (
         SELECT pid FROM pg_stat_activity WHERE datname = current_database())`,
    );
    return waiting.length > 0;
  });
