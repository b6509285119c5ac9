import { Logger } from '@nestjs/common';
import type { ClientBase } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { migrations } from './migrations/index.js';

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /** Shown in `pg_stat_activity`, so that an operator sees whose connections they are. */
  applicationName: string;
  /** Milliseconds, also between the statements of a transaction; 0 is none. */
  statementTimeout?: number;
  /** More settings of PostgreSQL for the sessions of this pool. */
  settings?: Record<string, string>;
}

const logger = new Logger('PostgreSQL');

// Longer than any statement of ours takes on a healthy server; a stuck one frees its connection.
const STATEMENT_TIMEOUT_MS = 30_000;
// PostgreSQL ends a statement itself, and if it says nothing for so much longer it is gone. Counted from
// when a statement is sent: one that is sent along with others also waits for those.
const QUERY_TIMEOUT_MARGIN_MS = 5_000;
const CONNECT_TIMEOUT_MS = 10_000;
// Left to itself the system asks for the first time after two hours.
const KEEP_ALIVE_DELAY_MS = 10_000;

/**
 * Every statement on a table that grows finds its rows by an index, whatever its values are. So one plan does for all of
 * them, and PostgreSQL need not make another (for a claim that took longer than to carry it out);
 * and one that was made while the tables were still empty must not read them from end to end when
 * they are large. Not for migrations, which do just that.
 *
 * PostgreSQL still chooses with which table a join begins, and an empty one looks like a good choice.
 * So a table that grows is joined as LATERAL (… LIMIT 1), which can only come second, and changed
 * WHERE … = ANY (ARRAY(SELECT …)), not FROM another. An EXISTS for each row may become one look at
 * the whole table; SELECT count(*) FROM (… LIMIT 1) may not.
 */
export const PLANNER_SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // Before version 18 a plan that has no other way than one that is switched off looks expensive
  // enough to be compiled.
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
      // A unit of work sends BEGIN with its first statement and the outbox with COMMIT, without
      // waiting between them: two round trips in place of four.
      pipeline: true,
      statement_timeout: statementTimeout,
      // pg then closes the connection as well, since it sends statements together.
      query_timeout: statementTimeout && statementTimeout + QUERY_TIMEOUT_MARGIN_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
      // A program whose machine is gone keeps its locks no longer; TCP would notice after hours.
      idle_in_transaction_session_timeout: statementTimeout,
      options: settings.map(([name, value]) => `-c ${name}=${value}`).join(' '),
      // A connection that ends in the moment in which it is handed out has no listener of the pool's
      // nor of TypeORM's, and its error would end the process. The query on it fails anyhow.
      onConnect: (client: ClientBase) => {
        client.on('error', (error) => logger.warn({ err: error, stage: 'connection' }));
      },
    },
  } satisfies DataSourceOptions;
}
