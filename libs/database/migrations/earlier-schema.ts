import { migrations } from './index.js';

/**
 * The end of a sentence about a database or a backup that has the schema before these migrations. It says how to move
 * the workspaces (docs/adr/0017).
 */
export const EARLIER_SCHEMA =
  'has the schema of Galley 0.1.0 or of a build soon after it, which this release cannot migrate. Check out commit c943dd9, which still can, and build it: on a copy of the database, run its `npm run migrate` and, for each workspace, its `npm run workspace -- export`; then import the files into a new database (docs/run/upgrades.md)';

const parseMigrationTime = (name: string): string => /\d+$/.exec(name)?.[0] ?? '';
/** The column `timestamp` of the first migration. */
export const FIRST_MIGRATION_TIME = parseMigrationTime(migrations[0]?.name ?? '');

/**
 * Whether any applied migration is older than the first one here. Migration names end with times of the same length, so
 * these compare as texts.
 */
export const isEarlierSchema = (names: readonly string[]): boolean =>
  names.some(
    (name) => parseMigrationTime(name) !== '' && parseMigrationTime(name) < FIRST_MIGRATION_TIME,
  );
