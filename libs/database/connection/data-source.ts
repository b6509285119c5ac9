import { Logger } from '@nestjs/common';
import type { ClientBase } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { migrations } from '../migrations/index.js';

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /** Shown in `pg_stat_activity`, so that an operator sees which program a connection belongs to. */
  applicationName: string;
  /** How long a statement may take, and the pause between two statements of a transaction, in milliseconds; 0 means no limit. */
  statementTimeout?: number;
  /** More PostgreSQL settings for the sessions of this pool. */
  settings?: Record<string, string>;
}

const logger = new Logger('PostgreSQL');

// Longer than any statement of Galley takes on a healthy server; a stuck statement frees its connection.
const STATEMENT_TIMEOUT_MS = 30_000;
// PostgreSQL ends the statement itself. If PostgreSQL still has not responded this much later, the
// connection is dead. The time counts from when a statement is sent, so a pipelined statement also waits
// for the ones before it.
const QUERY_TIMEOUT_MARGIN_MS = 5_000;
const CONNECT_TIMEOUT_MS = 10_000;
// By default, the operating system sends the first keep-alive probe after two hours.
const KEEP_ALIVE_DELAY_MS = 10_000;

/**
 * Every statement on a table that grows finds its rows through an index, whatever the parameters are. One
 * generic plan therefore serves all parameters. Without it, PostgreSQL would plan each execution, which
 * took longer than the claim statement itself; and a plan made while the tables were empty would scan them
 * when they are large. Migrations do scan tables, so they do not use these settings.
 * PostgreSQL still chooses which table a join starts with, and an empty table looks like a good choice.
 * Therefore a table that grows is joined as LATERAL (… LIMIT 1), which cannot come first, and updated WHERE
 * … = ANY (ARRAY(SELECT …)), not FROM another table. PostgreSQL may turn an EXISTS for each row into one
 * scan of the whole table, but not SELECT count(*) FROM (… LIMIT 1).
 */
export const PLANNER_SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // Before version 18, PostgreSQL adds so much to the cost of a disabled plan node that it would compile
  // the plan (JIT).
  jit: 'off',
};

export function dataSourceOptions(options: DatabaseOptions) {
  const { url, poolSize, applicationName, statementTimeout = STATEMENT_TIMEOUT_MS } = options;
  const settings = Object.entries(options.settings ?? {});
  return {
    type: 'postgres',
    url,
    applicationName,
    poolSize,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    synchronize: false,
    migrations,
    migrationsTransactionMode: 'each',
    extra: {
      // A unit of work sends BEGIN with its first statement and the outbox rows with COMMIT, without
      // waiting in between: two round trips instead of four.
      pipeline: true,
      statement_timeout: statementTimeout,
      // pg also closes the connection, because it pipelines statements.
      query_timeout: statementTimeout && statementTimeout + QUERY_TIMEOUT_MARGIN_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
      // If a program's machine is gone, its locks end after this time. TCP would notice after hours.
      idle_in_transaction_session_timeout: statementTimeout,
      options: settings.map(([name, value]) => `-c ${name}=${value}`).join(' '),
      // A connection that ends while the pool hands it out has no error listener, neither the pool's nor
      // TypeORM's, and its error would end the process. The query on that connection fails anyway.
      onConnect: (client: ClientBase) => {
        client.on('error', (error) => logger.warn({ err: error, stage: 'connection' }));
      },
    },
  } satisfies DataSourceOptions;
}
