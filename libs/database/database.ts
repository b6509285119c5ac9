import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DomainError } from '#errors';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import {
  isReadOnlyServer,
  repeatAfter,
  findShortage,
  withReconnects,
  type Shortage,
} from './connection/connection-loss.js';
import { isSelect, preparedStatement, queryOn } from './connection/statements.js';
import type { Query, Values } from './connection/statements.js';
import {
  readServerState,
  findSchemaProblem,
  type ServerState,
} from './completeness/server-state.js';
import { findUnfinishedRestore } from './completeness/unfinished-restore.js';

/**
 * Sets the isolation level explicitly, because a database may have a different default. A statement that follows a lock
 * must see everything that was committed during the wait for the lock. Under REPEATABLE READ, the statement would still
 * use the earlier snapshot.
 */
export const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';

export interface PoolUsage {
  size: number;
  inUse: number;
  idle: number;
  /** The number of callers that wait for a connection. */
  waiting: number;
}

/**
 * Runs a single statement, or a pipeline of statements, as one transaction. Domain changes use `UnitOfWork` instead.
 */
@Injectable()
export class Database {
  /** TypeORM's pool, used directly, because a query runner of TypeORM costs more than a small statement. */
  private readonly pool: Pool;
  /** The number of statements that failed because PostgreSQL lacked a resource, for each resource. */
  readonly shortages: Record<Shortage, number> = {
    disk_full: 0,
    out_of_memory: 0,
    io_error: 0,
    timeout: 0,
  };
  /**
   * Increases when a connection leads to a read-only server. Connections of earlier generations are closed, not reused.
   */
  private generation = 0;
  private readonly generations = new WeakMap<ClientBase, number>();
  /** The number of callers that use a connection or wait for one. */
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

  /**
   * Whether PostgreSQL was silent within the last `ms` milliseconds. Silence means that it sent nothing for at least a
   * second, although callers were using connections.
   */
  wasSilentWithin(ms: number): boolean {
    this.noteSilence();
    return performance.now() - this.longSilenceEndedAt <= ms;
  }

  /**
   * Runs a statement in its own transaction. If the connection is lost, repeats the statement, provided that it only
   * reads or that it has certainly changed nothing.
   *
   * @throws DomainError `unavailable` if it is unknown whether a change was made.
   */
  readonly query: Query = (text, values) => {
    const run = () => this.runStatement<never>(text, values);
    return run().catch((error: unknown) => {
      // The driver's stack trace ends at the socket. The new stack trace leads to the caller.
      Error.captureStackTrace(error as Error);
      return repeatAfter(error, isSelect(text), run);
    });
  };

  /** The time limit of one statement. PostgreSQL enforces the limit. */
  get statementTimeoutMs(): number {
    return Number(this.pool.options.statement_timeout);
  }

  /**
   * Sends all statements of a transaction in one round trip, and returns the rows of the last statement. Two statements
   * can do what a single statement cannot: the second one sees everything that was committed while the first one waited
   * for a lock.
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
   * Returns a message for operators if a restore has not finished, if the schema is not the one that this program
   * needs, or if the database is read-only. Returns undefined if all is well.
   */
  async findProblem(): Promise<string | undefined> {
    const { incompleteness, isReadOnly } = await this.examine();
    if (incompleteness !== undefined || !isReadOnly) return incompleteness;
    // A standby also serves reads, possibly of old rows. Without this check, a program that only reads would not notice
    // that it is connected to a standby.
    this.replaceConnections();
    return DATABASE_READ_ONLY;
  }

  /** Like `findProblem`, but accepts a read-only database. */
  async findIncompleteness(): Promise<string | undefined> {
    return (await this.examine()).incompleteness;
  }

  private async examine() {
    const unfinishedRestore = await findUnfinishedRestore(this.query);
    const state = await this.readServerState();
    return {
      incompleteness: unfinishedRestore ?? findSchemaProblem(state),
      isReadOnly: state.isReadOnly,
    };
  }

  readServerState(): Promise<ServerState> {
    return readServerState(this.query);
  }

  /** @throws DomainError `unavailable` if all connections stay in use, or if no connection can be opened. */
  async withClient<T>(use: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await new Promise<PoolClient>((resolve, reject) => {
      this.connect(resolve, reject);
    });
    try {
      return await use(client);
    } catch (error) {
      this.noteError(error);
      throw error;
    } finally {
      this.release(client);
    }
  }

  /**
   * Like `withClient`, but creates only one promise. The saving matters, because nearly every request runs one
   * statement.
   */
  private runStatement<Row extends object>(text: string, values?: Values): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.connect((client) => {
        client.query<Row>(preparedStatement(text, values), (error: Error | null, result) => {
          if (error === null) {
            this.release(client);
            resolve(result.rows);
            return;
          }
          // Waits for the next tick, because the driver closes the connection to a silent server only after this
          // callback.
          process.nextTick(() => {
            this.noteError(error);
            this.release(client);
            reject(error);
          });
        });
      }, reject);
    });
  }

  private connect(use: (client: PoolClient) => void, fail: (error: DomainError) => void): void {
    if (this.users++ === 0) this.lastResponseAt = performance.now();
    this.takeFromPool(use, (error) => {
      this.users--;
      fail(error);
    });
  }

  private takeFromPool(
    use: (client: PoolClient) => void,
    fail: (error: DomainError) => void,
  ): void {
    this.pool.connect((error, client) => {
      if (client === undefined) {
        fail(noConnection(error));
      } else if (this.isOutdated(client)) {
        client.release(true);
        this.takeFromPool(use, fail);
      } else use(client);
    });
  }

  private release(client: PoolClient): void {
    this.users--;
    // The pool only learns a moment later that this connection was destroyed after a timeout. Until then, the pool
    // would hand the connection to another caller.
    client.release(client.connection.stream.destroyed || this.isOutdated(client));
  }

  private noteError(error: unknown): void {
    if (isReadOnlyServer(error)) this.replaceConnections();
    const shortage = findShortage(error);
    if (shortage) this.shortages[shortage]++;
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

  /**
   * After a failover, all connections of the pool may lead to the former primary. A caller that tried these connections
   * one after another would run out of tries. Therefore one error replaces all connections.
   */
  private replaceConnections(): void {
    this.generation++;
  }

  private isOutdated(client: PoolClient): boolean {
    return (this.generations.get(client) ?? 0) < this.generation;
  }
}

// Hardly any statement takes longer than this.
const LONG_SILENCE_MS = 1_000;
const DATABASE_READ_ONLY = 'The database is read-only: DATABASE_URL points to a standby.';

function noConnection(cause: unknown): DomainError {
  const message = 'No database connection is available; retry in a moment.';
  return Object.assign(DomainError.unavailable(message), { cause });
}
