import {
  DatabaseInspection,
  describeMissingRights,
  findUnfinishedRestore,
  sqlState,
  EARLIER_SCHEMA,
  isEarlierSchema,
} from '#database';
import { findingsOn, plural, listFirst, type Finding } from '../finding.js';
import type { Configuration } from './configuration.js';
import { checkClock } from './clock.js';
import { checkKeys } from './keys.js';

const MIN_VERSION = 140_000;
// Without Redis, the queue is in PostgreSQL. Each process then opens up to this many connections for the queue, in
// addition to its pool.
const QUEUE_CONNECTIONS = 9;
const ALMOST_FULL = 0.9;

type Values = Configuration['values'];
type Check = (database: DatabaseInspection, values: Values) => Promise<Finding[]>;

const CHECKS: Record<string, Check> = {
  database: checkServer,
  privileges: checkPrivileges,
  restore: checkRestore,
  migrations: checkMigrations,
  connections: checkConnections,
  clock: async (database) => [checkClock('PostgreSQL', await database.clockOffset())],
  keys: checkKeys,
};

/**
 * Runs all checks that need PostgreSQL, one after another, on a single connection. If a check fails, the others still
 * run.
 */
export async function checkDatabase(values: Values): Promise<Finding[]> {
  const on = findingsOn('database');
  const dependents = Object.keys(CHECKS).slice(1).join(', ');
  const skipped = on.skipped(`Without PostgreSQL, the doctor cannot check: ${dependents}.`);
  const url = values.DATABASE_DIRECT_URL ?? values.DATABASE_URL;
  if (url === undefined) return [skipped];
  let database: DatabaseInspection;
  try {
    database = await DatabaseInspection.connect(url);
  } catch (error) {
    return [on.problem((error as Error).message), skipped];
  }
  try {
    const findings: Finding[] = [];
    for (const [subject, check] of Object.entries(CHECKS)) {
      try {
        findings.push(...(await check(database, values)));
      } catch (error) {
        findings.push(explainFailure(subject, error as Error));
      }
    }
    return findings;
  } finally {
    await database.close();
  }
}

const UNDEFINED_TABLE = '42P01';

/**
 * If a table does not exist, a migration has not run. `checkMigrations` reports the migration, so the check that needs
 * the table is only skipped.
 */
function explainFailure(subject: string, error: Error): Finding {
  const { problem, skipped } = findingsOn(subject);
  return sqlState(error) === UNDEFINED_TABLE
    ? skipped('The database is not migrated.')
    : problem(`PostgreSQL responded: ${error.message}.`);
}

async function checkServer(database: DatabaseInspection): Promise<Finding[]> {
  const on = findingsOn('database');
  const { version, versionNumber, encoding, isStandby, isReadOnly } = await database.serverState();
  const findings: Finding[] = [];
  if (versionNumber < MIN_VERSION) {
    findings.push(on.problem(`PostgreSQL ${version} is too old: Galley needs 14 or newer.`));
  }
  if (encoding !== 'UTF8') {
    findings.push(
      on.problem(
        `The encoding of the database is ${encoding}, but Galley needs UTF8: create a new database with ENCODING 'UTF8'.`,
      ),
    );
  }
  if (isStandby) {
    findings.push(on.problem('PostgreSQL is a standby: set DATABASE_URL to the primary.'));
  } else if (isReadOnly) {
    findings.push(on.problem('Transactions are read-only: reset default_transaction_read_only.'));
  }
  return findings.length > 0 ? findings : [on.ok(`PostgreSQL ${version} responds.`)];
}

async function checkPrivileges(database: DatabaseInspection): Promise<Finding[]> {
  const on = findingsOn('privileges');
  const state = await database.serverState();
  const { user } = state;
  const { unwritable, notOwned } = await database.missingPrivileges();
  const findings: Finding[] = [];
  if (unwritable.length > 0) {
    findings.push(
      on.problem(
        `${user} lacks privileges on ${listFirst(unwritable)}: grant SELECT, INSERT, UPDATE and DELETE.`,
      ),
    );
  }
  if (notOwned.length > 0) {
    findings.push(
      on.problem(
        `${user} does not own ${listFirst(notOwned)}, so a worker cannot create partitions: connect as the role that runs the migrations.`,
      ),
    );
  }
  const missingRights = describeMissingRights(state);
  if (missingRights !== undefined) findings.push(on.warning(missingRights));
  return findings.length > 0
    ? findings
    : [on.ok(`${user} has all privileges that the programs need.`)];
}

async function checkRestore(database: DatabaseInspection): Promise<Finding[]> {
  const problem = await findUnfinishedRestore(database.query);
  return problem === undefined ? [] : [findingsOn('restore').problem(problem)];
}

async function checkMigrations(database: DatabaseInspection): Promise<Finding[]> {
  // An unfinished restore runs the pending migrations later, and `checkRestore` already reports the restore.
  if ((await findUnfinishedRestore(database.query)) !== undefined) return [];
  const on = findingsOn('migrations');
  const { pending, unknown } = await database.compareMigrations();
  if (isEarlierSchema(unknown)) return [on.problem(`The database ${EARLIER_SCHEMA}.`)];
  const findings: Finding[] = [];
  if (pending.length > 0) {
    findings.push(
      on.problem(
        `${plural(pending.length, 'migration')} must still run (${listFirst(pending)}): run \`npm run migrate\`.`,
      ),
    );
  }
  if (unknown.length > 0) {
    findings.push(
      on.warning(
        `A newer release has migrated the database (${listFirst(unknown)}): use that release instead of this one.`,
      ),
    );
  }
  return findings.length > 0 ? findings : [on.ok('All migrations have run.')];
}

async function checkConnections(
  database: DatabaseInspection,
  { DATABASE_POOL_SIZE: poolSize, REDIS_URL }: Values,
): Promise<Finding[]> {
  const on = findingsOn('connections');
  if (poolSize === undefined) return [on.skipped('DATABASE_POOL_SIZE is not valid.')];
  const { capacity, used } = await database.connectionLimits();
  const eachProcess = poolSize + (REDIS_URL === undefined ? QUEUE_CONNECTIONS : 0);
  const processes = Math.floor(capacity / eachProcess);
  const budget = `Each API and each worker takes up to ${plural(eachProcess, 'connection')}; PostgreSQL accepts ${capacity}, and ${used} are open`;
  if (processes < 2) {
    return [
      on.problem(
        `${budget}. That is not enough for one API and one worker: lower DATABASE_POOL_SIZE, or raise max_connections.`,
      ),
    ];
  }
  if (used > capacity * ALMOST_FULL) {
    return [
      on.warning(
        `${budget}. Almost none are left: pg_stat_activity shows which programs hold the open connections.`,
      ),
    ];
  }
  return [on.ok(`${budget}. That is enough for ${processes} processes.`)];
}
