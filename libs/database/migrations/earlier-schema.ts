import { migrations } from './index.js';

/**
 * Completes a sentence whose subject is a database or a backup with a schema from before these migrations. The text
 * tells operators how to move the workspaces to a new database (docs/adr/0017).
 */
export const EARLIER_SCHEMA =
  'has the schema of Galley 0.1.0 or of a build soon after it. This release cannot migrate that schema, but commit c943dd9 can. Check out and build that commit. With that build, on a copy of the database, run `npm run migrate`, and then `npm run workspace -- export` for each workspace. Then import the files into a new database with this release (docs/run/upgrades.md)';

const parseMigrationTime = (name: string): string => /\d+$/.exec(name)?.[0] ?? '';
/** The `timestamp` of the first migration, as stored in the table `migrations`. */
export const FIRST_MIGRATION_TIME = parseMigrationTime(migrations[0]?.name ?? '');

/**
 * Whether any applied migration is older than the first migration of this release. Migration names end with times of
 * equal length, so the times can be compared as text.
 */
export const isEarlierSchema = (names: readonly string[]): boolean =>
  names.some(
    (name) => parseMigrationTime(name) !== '' && parseMigrationTime(name) < FIRST_MIGRATION_TIME,
  );
