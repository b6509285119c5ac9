import { Logger } from '@nestjs/common';
import type { ClientBase } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { migrations } from '../migrations/index.js';

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /** Shown in `pg_stat_activity`, so that an operator sees which program a connection belongs to. */
  applicationName: string;
  /**
   * The limit for each statement, and for each pause between two statements of a transaction, in
   * milliseconds; 0 means no limit.
   */
  statementTimeout?: number;
  /** Additional PostgreSQL settings for the sessions of this pool. Write the values as `pg_settings` shows them. */
  settings?: Record<string, string>;
  /** Whether the program must connect to PostgreSQL itself, without a pooler. */
  isDirect?: boolean;
}

const logger = new Logger('PostgreSQL');

// On a healthy server, no statement of Galley takes this long. The timeout frees the connection of a stuck statement.
const STATEMENT_TIMEOUT_MS = 30_000;
// PostgreSQL itself ends a statement after the statement timeout. If PostgreSQL has still not responded this much
// later, the connection is dead. The driver measures from the moment at which it sends the statement, so the time of a
// pipelined statement includes the statements before it.
const QUERY_TIMEOUT_MARGIN_MS = 5_000;
const CONNECT_TIMEOUT_MS = 10_000;
// By default, the operating system sends the first keep-alive probe after two hours.
const KEEP_ALIVE_DELAY_MS = 10_000;

/**
 * Every statement on a table that grows finds its rows through an index, whatever the parameters are. One generic plan
 * therefore serves all parameters, and a connection plans each statement only once. Planning the claim statement took
 * longer than running it.
 *
 * PostgreSQL may make the plan while a table is still empty, when a sequential scan looks cheap. That plan would stay
 * in use after the table has grown. Therefore sequential scans, bitmap scans, hash joins and merge joins are off.
 * Migrations do scan tables, so they do not use these settings.
 *
 * PostgreSQL still chooses the table with which a join starts, and an empty table looks like a good choice. Therefore a
 * table that grows is joined as LATERAL (… LIMIT 1), which cannot come first. Likewise, an UPDATE finds its rows with
 * WHERE … = ANY (ARRAY(SELECT …)), or by the ctid that such a LATERAL returns. PostgreSQL may also turn an
 * EXISTS for each row into a single scan of the whole table. It never does so with SELECT count(*) FROM (… LIMIT 1).
 */
export const PLANNER_SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // Before version 18, a disabled plan node adds so much cost that PostgreSQL would compile the plan (JIT).
  jit: 'off',
};

/** The settings that every session of the pool must have. */
export function sessionSettings(options: DatabaseOptions): Record<string, string> {
  const statementTimeout = String(options.statementTimeout ?? STATEMENT_TIMEOUT_MS);
  return {
    ...options.settings,
    statement_timeout: statementTimeout,
    // If the machine of a program fails, PostgreSQL releases the program's locks after this timeout. TCP would notice
    // the failure only after hours.
    idle_in_transaction_session_timeout: statementTimeout,
  };
}

/**
 * Builds the options for TypeORM. The settings become startup parameters, which a pooler may ignore or refuse
 * (`requireSettings`).
 */
export function dataSourceOptions(options: DatabaseOptions) {
  const { url, poolSize, applicationName, statementTimeout = STATEMENT_TIMEOUT_MS } = options;
  const settings = Object.entries(sessionSettings(options));
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
      // After this timeout, pg also closes the connection: the statements behind the late one in the pipeline would get
      // no response either.
      query_timeout: statementTimeout && statementTimeout + QUERY_TIMEOUT_MARGIN_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
      options: settings.map(([name, value]) => `-c ${name}=${value}`).join(' '),
      // While a connection is checked out, neither the pool nor TypeORM listens for the errors of the connection, and
      // an error without a listener would end the process. The query on that connection fails anyway.
      onConnect: (client: ClientBase) => {
        client.on('error', (error) =>
          logger.warn({ err: error, stage: 'connection' }, 'A connection to PostgreSQL was lost.'),
        );
      },
    },
  } satisfies DataSourceOptions;
}
