import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DomainError } from '#errors';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import {
  isReadOnlyServer,
  shortageOf,
  withReconnects,
  type Shortage,
} from './connection/connection-loss.js';
import { migrations } from './migrations/index.js';
import { sqlStateOf } from './connection/sql-state.js';
import { findUnfinishedRestore } from './completeness/unfinished-restore.js';

type Values = readonly unknown[];

/**
 * Sets the isolation level explicitly, because a database can have another default. A statement after a
 * lock must see what was committed during the wait for the lock; in REPEATABLE READ, the statement would
 * not see that.
 */
export const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';

/** Runs one prepared statement and returns its rows. */
export type Query = <Row extends object>(text: string, values?: Values) => Promise<Row[]>;

/** The connections of the pool, and how many callers wait for one. */
export interface PoolUsage {
  size: number;
  inUse: number;
  idle: number;
  waiting: number;
}

interface ServerState {
  /** The latest migration in the database. */
  latestMigration: string;
  /** Whether the database lacks the latest migration of this program. */
  isPending: boolean;
  isReadOnly: boolean;
  /**
   * How far the clock of this program is ahead of PostgreSQL's, in seconds, to half the time of the round trip.
   * Undefined if the database has no schema.
   */
  clockOffset: number | undefined;
}

/** Runs single statements, each in its own transaction. Domain writes use `UnitOfWork`. */
@Injectable()
export class Database {
  /**
   * The pool of TypeORM. It is used directly, because a query runner of TypeORM costs more than a small
   * statement.
   */
  private readonly pool: Pool;
  /** How often PostgreSQL could not do its work, by what it lacked. */
  readonly shortages: Record<Shortage, number> = {
    disk_full: 0,
    out_of_memory: 0,
    io_error: 0,
    timeout: 0,
  };
  /** Increases when a connection turns out to lead to a read-only server. Older connections are closed. */
  private generation = 0;
  private readonly generations = new WeakMap<ClientBase, number>();
  /** How many callers use a connection or wait for one. */
  private users = 0;
  private lastResponseAt = 0;
  private longSilenceEndedAt = -Infinity;

  constructor(@InjectDataSource() dataSource: DataSource) {
    this.pool = (dataSource.driver as PostgresDriver).master as Pool;
    this.pool.on('connect', (client) => {
      this.generations.set(client, this.generation);
      client.connection.stream.on('data', () => this.noteResponse());
    });
  }

  /** Whether PostgreSQL, asked for something, sent nothing for a second, now or within the last `ms`. */
  wasSilentWithin(ms: number): boolean {
    this.noteSilence();
    return performance.now() - this.longSilenceEndedAt <= ms;
  }

  /**
   * Runs a statement in its own transaction, and repeats the statement after a lost connection if nothing
   * was changed or if the statement only reads.
   *
   * @throws DomainError `unavailable` if it is unknown whether a change was made.
   */
  readonly query: Query = (text, values) =>
    withReconnects(isSelect(text), () =>
      this.withClient((client) => queryOn(client)(text, values)),
    );

  /** The time limit of one statement. PostgreSQL enforces the limit. */
  get statementTimeoutMs(): number {
    return Number(this.pool.options.statement_timeout);
  }

  /**
   * Sends the statements of one transaction together, in one round trip, and returns the rows of the last
   * statement. If an earlier statement waits for a lock, a later statement sees what was committed during
   * the wait; a single statement would not.
   */
  async pipeline<Row extends object>(
    ...statements: [text: string, values: Values][]
  ): Promise<Row[]> {
    const isReadOnly = statements.every(([text]) => isSelect(text));
    const run = async (client: PoolClient) => {
      const results = await Promise.allSettled([
        client.query(BEGIN),
        ...statements.map(([text, values]) => queryOn(client)<Row>(text, values)),
        // COMMIT rolls back if a statement has failed.
        client.query('COMMIT'),
      ]);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      const lastResult = results.at(-2) as PromiseFulfilledResult<Row[]>;
      return lastResult.value;
    };
    return withReconnects(isReadOnly, () => this.withClient(run));
  }

  get poolUsage(): PoolUsage {
    const { options, totalCount, idleCount, waitingCount } = this.pool;
    return {
      size: options.max,
      inUse: totalCount - idleCount,
      idle: idleCount,
      waiting: waitingCount,
    };
  }

  /**
   * Returns what is wrong if a restore has not finished, or if the database does not have the schema that this
   * program was written for, or is read-only.
   */
  async findProblem(): Promise<string | undefined> {
    const { incompleteness, isReadOnly } = await this.examine();
    if (incompleteness !== undefined || !isReadOnly) return incompleteness;
    // A standby also responds to reads, with old rows. So a program that only reads notices it here.
    this.replaceConnections();
    return DATABASE_READ_ONLY;
  }

  /** Returns what is wrong if a restore has not finished, or if the database is not migrated. */
  async findIncompleteness(): Promise<string | undefined> {
    return (await this.examine()).incompleteness;
  }

  private async examine() {
    const unfinishedRestore = await findUnfinishedRestore(this.query);
    const { isPending, isReadOnly } = await this.readServerState();
    const incompleteness = unfinishedRestore ?? (isPending ? DATABASE_NOT_MIGRATED : undefined);
    return { incompleteness, isReadOnly };
  }

  async readServerState(): Promise<ServerState> {
    const sentAt = Date.now();
    const [row] = await this.query<Omit<ServerState, 'clockOffset'> & { time: number }>(
      SELECT_SERVER_STATE,
      [migrations.at(-1)?.name],
    ).catch(noRowsIfTableIsMissing);
    if (!row) {
      return {
        latestMigration: 'none',
        isPending: true,
        isReadOnly: false,
        clockOffset: undefined,
      };
    }
    const { time, ...state } = row;
    return { ...state, clockOffset: (sentAt + Date.now()) / 2_000 - time };
  }

  /** @throws DomainError `unavailable` if all connections stay in use, or if no connection can be made. */
  async withClient<T>(use: (client: PoolClient) => Promise<T>): Promise<T> {
    if (this.users++ === 0) this.lastResponseAt = performance.now();
    try {
      return await this.useClient(await this.connect(), use);
    } finally {
      this.users--;
    }
  }

  private async useClient<T>(
    client: PoolClient,
    use: (client: PoolClient) => Promise<T>,
  ): Promise<T> {
    try {
      return await use(client);
    } catch (error) {
      if (isReadOnlyServer(error)) this.replaceConnections();
      const shortage = shortageOf(error);
      if (shortage) this.shortages[shortage]++;
      throw error;
    } finally {
      // The pool learns only a moment later that this connection was given up after a timeout. Until then,
      // the pool would give the connection to another caller.
      client.release(client.connection.stream.destroyed || this.isOutdated(client));
    }
  }

  private noteResponse(): void {
    this.noteSilence();
    this.lastResponseAt = performance.now();
  }

  private noteSilence(): void {
    const now = performance.now();
    if (this.users > 0 && now - this.lastResponseAt >= LONG_SILENCE_MS) {
      this.longSilenceEndedAt = now;
    }
  }

  private async connect(): Promise<PoolClient> {
    for (;;) {
      const client = await this.pool.connect().catch(throwUnavailable);
      if (!this.isOutdated(client)) return client;
      client.release(true);
    }
  }

  /**
   * After a failover, all connections of the pool may lead to the former primary. A caller that took one
   * after the other would run out of tries, so one error replaces all connections.
   */
  private replaceConnections(): void {
    this.generation++;
  }

  private isOutdated(client: PoolClient): boolean {
    return (this.generations.get(client) ?? 0) < this.generation;
  }
}

// Hardly any statement takes longer.
const LONG_SILENCE_MS = 1_000;
const DATABASE_NOT_MIGRATED = 'The database is not migrated: run `npm run migrate`.';
const DATABASE_READ_ONLY = 'The database is read-only: DATABASE_URL leads to a standby.';
const UNDEFINED_TABLE = '42P01';

const SELECT_SERVER_STATE = `SELECT
    coalesce((SELECT name FROM migrations ORDER BY timestamp DESC LIMIT 1), 'none') AS "latestMigration",
    NOT EXISTS (SELECT FROM migrations WHERE name = $1) AS "isPending",
    current_setting('transaction_read_only') = 'on' AS "isReadOnly",
    extract(epoch FROM clock_timestamp())::float8 AS time`;

function noRowsIfTableIsMissing(error: unknown): never[] {
  if (sqlStateOf(error) === UNDEFINED_TABLE) return [];
  throw error;
}

function throwUnavailable(cause: unknown): never {
  const message = 'No database connection is available; retry in a moment.';
  throw Object.assign(DomainError.unavailable(message), { cause });
}

/** Whether a statement only reads: no SELECT of Galley calls a function that writes. */
const isSelect = (text: string): boolean => /^\s*SELECT\b/.test(text);

const preparedNames = new Map<string, string>();

/**
 * Statements are constants of the code, so there are few. Each connection prepares and plans each statement
 * once, which saves about half the cost of a small statement.
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
