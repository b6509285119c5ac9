import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { migrations } from './migrations/index.js';

type Values = readonly unknown[];

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

  readonly query: Query = (text, values) =>
    this.withClient((client) => queryOn(client)(text, values));

  /**
   * Statements of one transaction that are sent together, so that they take one round trip; gives
   * the rows of the last. A later one sees what others have committed while an earlier one waited
   * for a lock, which one statement would not.
   */
  async together<Row extends object>(
    ...statements: [text: string, values: Values][]
  ): Promise<Row[]> {
    return this.withClient(async (client) => {
      const results = await Promise.allSettled([
        client.query('BEGIN'),
        ...statements.map(([text, values]) => queryOn(client)<Row>(text, values)),
        // After an error it rolls back.
        client.query('COMMIT'),
      ]);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      const last = results.at(-2) as PromiseFulfilledResult<Row[]>;
      return last.value;
    });
  }

  /** Whether the database answers and has the schema that this program was written for. */
  async isReady(): Promise<boolean> {
    const latest = migrations.at(-1)?.name;
    const [row] = await this.query<{ migrated: boolean }>(
      'SELECT EXISTS (SELECT FROM migrations WHERE name = $1) AS migrated',
      [latest],
    );
    return row?.migrated ?? false;
  }

  async withClient<T>(use: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      return await use(client);
    } finally {
      client.release();
    }
  }
}

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
