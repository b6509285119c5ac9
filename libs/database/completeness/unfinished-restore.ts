import { StartupError } from '#errors';

/**
 * `npm run restore` creates this table before it stores anything, and drops it as its last step. So if a restore is
 * interrupted at any moment, no program mistakes the database for a complete one.
 */
export const UNFINISHED_RESTORE = 'unfinished_restore';

// A restore commits all data in one transaction, so the existence of one table shows that all data is there.
const SELECT_RESTORE = `SELECT to_regclass('${UNFINISHED_RESTORE}') IS NOT NULL AS "isUnfinished",
  to_regclass('documents') IS NOT NULL AS "hasData"`;

export type RunStatement = <Row extends object>(text: string) => Promise<Row[]>;

/** Returns advice for operators if a restore of the database has not finished; otherwise undefined. */
export async function findUnfinishedRestore(run: RunStatement): Promise<string | undefined> {
  const [restore] = await run<{ isUnfinished: boolean; hasData: boolean }>(SELECT_RESTORE);
  if (!restore?.isUnfinished) return undefined;
  const next = restore.hasData
    ? 'run `npm run restore -- --finish`: only the last steps of the restore are missing'
    : 'run `npm run restore -- FILE` again';
  return `A restore of this database has not finished. If no restore is running, stop the API and the worker, and ${next}.`;
}

/** @throws StartupError if a restore of the database has not finished. */
export async function requireFinishedRestore(run: RunStatement): Promise<void> {
  const problem = await findUnfinishedRestore(run);
  if (problem !== undefined) throw new StartupError(problem);
}
