import { StartupError } from '#errors';

/**
 * `npm run restore` creates this table before it stores anything, and drops it as its last step. So after an
 * interruption at any moment, no program takes the database for a complete one.
 */
export const UNFINISHED_RESTORE = 'unfinished_restore';

export const RESTORE_UNFINISHED =
  'A restore of this database has not finished. If no restore is running, stop API and worker, and run `npm run restore -- FILE` again.';

const SELECT_IS_RESTORE_UNFINISHED = `SELECT to_regclass('${UNFINISHED_RESTORE}') IS NOT NULL AS "isRestoreUnfinished"`;

/** Runs a statement and returns its rows. */
type RunStatement = (text: string) => Promise<{ isRestoreUnfinished: boolean }[]>;

export async function isRestoreUnfinished(run: RunStatement): Promise<boolean> {
  const [row] = await run(SELECT_IS_RESTORE_UNFINISHED);
  return row?.isRestoreUnfinished ?? false;
}

/** @throws StartupError if a restore of the database has not finished. */
export async function requireFinishedRestore(run: RunStatement): Promise<void> {
  if (await isRestoreUnfinished(run)) throw new StartupError(RESTORE_UNFINISHED);
}
