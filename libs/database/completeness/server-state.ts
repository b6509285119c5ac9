import { sqlState } from '../connection/sql-state.js';
import { EARLIER_SCHEMA, FIRST_MIGRATION_TIME } from '../migrations/earlier-schema.js';
import { migrations } from '../migrations/index.js';

export interface ServerState {
  /** The name of the latest migration in the database, or `none`. */
  latestMigration: string;
  /** Whether the database lacks the latest migration of this program. */
  isPending: boolean;
  /** Whether the database has an earlier schema, which the migrations of this program cannot upgrade. */
  isEarlier: boolean;
  isReadOnly: boolean;
  /**
   * How far the clock of this program is ahead of PostgreSQL's, in seconds, accurate to half the round-trip time.
   * Undefined if the database has no schema.
   */
  clockOffset: number | undefined;
}

const UNDEFINED_TABLE = '42P01';

const SELECT_SERVER_STATE = `SELECT
    coalesce((SELECT name FROM migrations ORDER BY timestamp DESC LIMIT 1), 'none') AS "latestMigration",
    NOT EXISTS (SELECT FROM migrations WHERE name = $1) AS "isPending",
    EXISTS (SELECT FROM migrations WHERE timestamp < $2) AS "isEarlier",
    current_setting('transaction_read_only') = 'on' AS "isReadOnly",
    extract(epoch FROM clock_timestamp())::float8 AS time`;

type Query = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

export async function readServerState(query: Query): Promise<ServerState> {
  const sentAt = Date.now();
  const [row] = await query<Omit<ServerState, 'clockOffset'> & { time: number }>(
    SELECT_SERVER_STATE,
    [migrations.at(-1)?.name, FIRST_MIGRATION_TIME],
  ).catch(noRowsIfTableIsMissing);
  if (!row) {
    return {
      latestMigration: 'none',
      isPending: true,
      isEarlier: false,
      isReadOnly: false,
      clockOffset: undefined,
    };
  }
  const { time, ...state } = row;
  return { ...state, clockOffset: (sentAt + Date.now()) / 2_000 - time };
}

function noRowsIfTableIsMissing(error: unknown): never[] {
  if (sqlState(error) === UNDEFINED_TABLE) return [];
  throw error;
}

/** Returns why this program cannot use the schema; undefined if it can. */
export const findSchemaProblem = ({ isPending, isEarlier }: ServerState): string | undefined => {
  if (!isPending) return undefined;
  return isEarlier
    ? `The database ${EARLIER_SCHEMA}.`
    : 'The database is not migrated: run `npm run migrate`.';
};
