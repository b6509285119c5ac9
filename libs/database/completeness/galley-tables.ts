import { StartupError } from '#errors';
import { EARLIER_SCHEMA, isEarlierSchema } from '../migrations/earlier-schema.js';
import { requireFinishedRestore, type RunStatement } from './unfinished-restore.js';

/**
 * @throws StartupError if the database has no Galley tables, has tables of an earlier schema, or has an unfinished
 * restore.
 */
export async function requireGalleyTables(run: RunStatement): Promise<void> {
  await requireFinishedRestore(run);
  const [found] = await run<{ isGalley: boolean }>(
    // Databases of other applications may also contain a table `migrations`.
    `SELECT to_regclass('migrations') IS NOT NULL AND to_regclass('workspace_members') IS NOT NULL AS "isGalley"`,
  );
  if (found?.isGalley !== true) {
    throw new StartupError(
      'The database has no Galley tables: check the name of the database in DATABASE_URL.',
    );
  }
  await refuseEarlierSchema(run);
}

/** @throws StartupError if the database is not encoded in UTF-8: other encodings cannot store every character. */
export async function requireUnicode(run: RunStatement): Promise<void> {
  const [row] = await run<{ encoding: string }>(
    `SELECT current_setting('server_encoding') AS encoding`,
  );
  if (row?.encoding !== 'UTF8') {
    throw new StartupError(
      `The encoding of the database is ${row?.encoding}, but Galley needs UTF8: create a new database with ENCODING 'UTF8'.`,
    );
  }
}

/** @throws StartupError if the migrations of the database are those of an earlier schema. */
export async function refuseEarlierSchema(run: RunStatement): Promise<void> {
  const migrations = await run<{ name: string }>('SELECT name FROM migrations');
  if (isEarlierSchema(migrations.map(({ name }) => name))) {
    throw new StartupError(`The database ${EARLIER_SCHEMA}.`);
  }
}
