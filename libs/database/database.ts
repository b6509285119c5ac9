import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DomainError } from '#errors';
import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { withReconnects } from './connection-loss.js';
import { migrations } from './migrations/index.js';

type Values = readonly unknown[];

const READINESS_MS = 1_000;
// Whoever asks does not wait much longer themselves.
const READINESS_PATIENCE_MS = 3_000;

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
  private readonly logger = new Logger(Database.name);
  private readiness: Promise<boolean> | undefined;

  constructor(@InjectDataSource() dataSource: DataSource) {
    this.pool = (dataSource.driver as PostgresDriver).master as Pool;
  }

  /**
   * Runs a statement that is a transaction of its own, again if the connection was lost and either nothing
   * was done or the statement only reads.
   * @throws DomainError `unavailable` when nobody knows whether a change was made.
   */
  readonly query: Query = (text, values) =>
    withReconnects(isRead(text), () => this.withClient((client) => queryOn(client)(text, values)));

  /** How long PostgreSQL lets one statement take. */
  get statementTimeoutMs(): number {
    return Number(this.pool.options.statement_timeout);
  }

  /**
   * Statements of one transaction that are sent together, so that they take one round trip; gives
   * the rows of the last. A later one sees what others have committed while an earlier one waited
   * for a lock, which one statement would not.
   */
  async together<Row extends object>(
    ...statements: [text: string, values: Values][]
  ): Promise<Row[]> {
    const changesNothing = statements.every(([text]) => isRead(text));
    const run = async (client: PoolClient) => {
      const results = await Promise.allSettled([
        client.query(BEGIN),
        ...statements.map(([text, values]) => queryOn(client)<Row>(text, values)),
        // After an error it rolls back.
        client.query('COMMIT'),
      ]);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      const last = results.at(-2) as PromiseFulfilledResult<Row[]>;
      return last.value;
    };
    return withReconnects(changesNothing, () => this.withClient(run));
  }

  /**
   * Whether the database answers and has the schema that this program was written for. Anybody may
   * ask, as often as they like; so they ask together, and what was found holds for a moment.
   */
  isReady(): Promise<boolean> {
    this.readiness ??= this.look().finally(() => {
      setTimeout(() => (this.readiness = undefined), READINESS_MS).unref();
    });
    return this.readiness;
  }

  private async look(): Promise<boolean> {
    const latest = migrations.at(-1)?.name;
    try {
      const asked = this.query<{ migrated: boolean }>(
        'SELECT EXISTS (SELECT FROM migrations WHERE name = $1) AS migrated',
        [latest],
      );
      const [row] = await Promise.race([asked, silence()]);
      return row?.migrated ?? false;
    } catch (error) {
      this.logger.error({ err: error, stage: 'readiness' });
      return false;
    }
  }

  /** @throws DomainError `unavailable` when all connections stay in use, or none can be made. */
  async withClient<T>(use: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect().catch(refuse);
    try {
      return await use(client);
    } finally {
      // One that was given up because nothing came. The pool learns of it only in a moment, and would
      // hand it out again until then.
      client.release(client.connection.stream.destroyed);
    }
  }
}

async function silence(): Promise<never> {
  await delay(READINESS_PATIENCE_MS, undefined, { ref: false });
  throw new Error('PostgreSQL has not answered in time.');
}

function refuse(cause: unknown): never {
  const message = 'No connection to the database can be had just now; try again in a moment.';
  throw Object.assign(DomainError.unavailable(message), { cause });
}

/** None of ours calls a function that changes something. */
const isRead = (text: string): boolean => /^\s*SELECT\b/.test(text);

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
