import type { TestDatabase } from '../../support/galley/database.js';
import type { Child } from '../child.js';
import { postgresMs, postgresPidOf, processMs } from '../processor-time.js';

/** One of two sides that do the same work. */
export interface Side {
  database: Pick<TestDatabase, 'query'>;
  programs: readonly Pick<Child, 'process'>[];
  /** Programs that both sides use, besides PostgreSQL. */
  sharedPids?: readonly number[];
}

/** The cost of one operation. */
export interface Cost {
  /** Milliseconds of processor time of all processes of a side, PostgreSQL included. */
  ms: number;
  walBytes: number;
}

/**
 * Measures one side while the other one is stopped, because both use one PostgreSQL server.
 * @param act does `count` operations, and ends when all programs of the side are quiet.
 */
export async function measureCost(
  side: Side,
  other: Side,
  count: number,
  act: () => Promise<unknown>,
): Promise<Cost> {
  for (const { process } of other.programs) process.kill('SIGSTOP');
  const postgresPid = await postgresPidOf(side.database);
  const before = await read(side, postgresPid);
  await act();
  const after = await read(side, postgresPid);
  for (const { process } of other.programs) process.kill('SIGCONT');
  return {
    ms: (after.ms - before.ms) / count,
    walBytes: (after.walBytes - before.walBytes) / count,
  };
}

async function read(
  { database, programs, sharedPids = [] }: Side,
  postgresPid: number,
): Promise<Cost> {
  const pids = [...programs.map(({ process: { pid = NaN } }) => pid), ...sharedPids];
  const times = await Promise.all([...pids.map(processMs), postgresMs(postgresPid)]);
  const [row] = await database.query<{ wal: number }>(
    `SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS wal`,
  );
  return { ms: times.reduce((sum, time) => sum + time, 0), walBytes: row?.wal ?? NaN };
}
