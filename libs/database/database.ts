import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DomainError } from '#errors';
import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { withReconnects } from './connection-loss.js';
import { migrations } from './migrations/index.js';
import { sqlStateOf } from './sql-state.js';

type Values = readonly unknown[];

/**
 * Whatever the database's default is: what waits for a lock, and then looks, is to see what was committed
 * meanwhile. One snapshot for all would not.
 */
export const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';

/** Runs one prepared statement and gives its rows. */
export type Query = <Row extends object>(text: string, values?: Values) => Promise<Row[]>;

/** One statement at a time, each its own transaction. Domain writes go through `UnitOfWork`. */
@Injectable()
export class Database {
  /** TypeORM's pool without its query runners, which cost more than a small statement's rows. */
  private readonly pool: Pool;

  constructor(@InjectDataSource() dataSource: DataSource) {
    this.pool = (dataSource.driver as PostgresDriver).master as Pool;
  }

  /**
   * Runs a statement that is a transaction of its own, again if the connection was lost and either nothing
   * was done or the statement only reads.
   * @throws DomainError `unavailable` when nobody knows whether a change was made.
   */
  readonly query: Query = (text, values) =>
    withReconnects(isSelect(text), () =>
      this.withClient((client) => queryOn(client)(text, values)),
    );

  /** How long PostgreSQL lets one statement take. */
  get statementTimeoutMs(): number {
    return Number(this.pool.options.statement_timeout);
  }

  /**
   * Statements of one transaction that are sent together, so that they take one round trip; gives
   * the rows of the last. A later one sees what others have committed while an earlier one waited
   * for a lock, which one statement would not.
   */
  async pipeline<Row extends object>(
    ...statements: [text: string, values: Values][]
  ): Promise<Row[]> {
    const isReadOnly = statements.every(([text]) => isSelect(text));
    const run = async (client: PoolClient) => {
      const results = await Promise.allSettled([
        client.query(BEGIN),
        ...statements.map(([text, values]) => queryOn(client)<Row>(text, values)),
        // After an error it rolls back.
        client.query('COMMIT'),
      ]);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      const lastResult = results.at(-2) as PromiseFulfilledResult<Row[]>;
      return lastResult.value;
    };
    return withReconnects(isReadOnly, () => this.withClient(run));
  }

  /** Gives what is wrong if the database does not have the schema that this program was written for. */
  async findSchemaProblem(): Promise<string | undefined> {
    const latestMigration = migrations.at(-1)?.name;
    const rows = await this.query<{ isMigrated: boolean }>(
      'SELECT EXISTS (SELECT FROM migrations WHERE name = $1) AS "isMigrated"',
      [latestMigration],
    ).catch(noRowsIfTableIsMissing);
    return rows[0]?.isMigrated ? undefined : DATABASE_NOT_MIGRATED;
  }

  /** @throws DomainError `unavailable` when all connections stay in use, or none can be made. */
  async withClient<T>(use: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect().catch(throwUnavailable);
    try {
      return await use(client);
    } finally {
      // One that was given up because nothing came. The pool learns of it only in a moment, and would
      // hand it out again until then.
      client.release(client.connection.stream.destroyed);
    }
  }
}

const DATABASE_NOT_MIGRATED = 'The database is not migrated: run `npm run migrate`.';
const UNDEFINED_TABLE = '42P01';

function noRowsIfTableIsMissing(error: unknown): never[] {
  if (sqlStateOf(error) === UNDEFINED_TABLE) return [];
  throw error;
}

function throwUnavailable(cause: unknown): never {
  const message = 'No database connection is available; retry in a moment.';
  throw Object.assign(DomainError.unavailable(message), { cause });
}

/** None of ours calls a function that changes something. */
const isSelect = (text: string): boolean => /^\s*SELECT\b/.test(text);

const preparedNames = new Map<string, string>();

/**
 * Statements are constants of the code, so that there are few of them: each is prepared once on
 * every connection and planned once, which saves about half of a small statement's cost.
 */
export function queryOn(client: PoolClient): Query {
  return async <Row extends object>(text: string, values: Values = []) => {
    let name = preparedNames.get(text);
    if (name === undefined) {
      name = `galley_${preparedNames.size}`;
      preparedNames.set(text, name);
    }
    const result = await client.query<Row>({ name, text, values: [...values] });
    return result.rows;
  };
}
