/*
 * Access to PostgreSQL for all other libs: connections, the migrations of all tables, and the unit of work. The unit of
 * work commits a change together with its events and, if the request has an idempotency key, with the response. This
 * lib also contains the cursors of lists. The statements on a table are in the lib that owns the table.
 */
export { ADVISORY_LOCKS } from './connection/advisory-locks.js';
export { explainConnectError, waitForDatabase } from './connection/connect.js';
export { CompleteDatabase } from './completeness/complete-database.js';
export { Database } from './database.js';
export type { Query } from './connection/statements.js';
export { ChangeStatement, type Change } from './change-statement.js';
export { DatabaseModule } from './database.module.js';
export {
  IdempotencyKeys,
  KEY_IN_USE,
  ReplayedResponse,
  type IdempotencyKey,
  type Right,
} from './idempotency-keys.js';
export { DatabaseInspection } from './inspection/database-inspection.js';
export { describeMissingRights, explainMissingRights } from './inspection/missing-rights.js';
export { parseJsonTimes } from './json-times.js';
export { Lease } from './lease.js';
export { parseTime } from './parse-time.js';
export {
  MAX_UUID,
  Keysets,
  NEWEST_ID,
  NIL_UUID,
  type Keyset,
  type Page,
  type PageRequest,
  type Position,
} from './lists/keyset.js';
export { migrate } from './migrate.js';
export {
  EARLIER_SCHEMA,
  FIRST_MIGRATION_TIME,
  isEarlierSchema,
} from './migrations/earlier-schema.js';
export { migrations } from './migrations/index.js';
export { MAX_PAGE_BYTES } from './lists/page-bytes.js';
export { partitionsBetween, firstIdAt } from './partitions/partition-plan.js';
export { Partitions } from './partitions/partitions.js';
export { Reads, type ReadDatabase } from './replica/reads.js';
export { sqlState } from './connection/sql-state.js';
export { matchesPrecondition, nextUpdatedAt, nextUpdatedAtInOrder } from './next-updated-at.js';
export {
  noEvent,
  LocksIncomplete,
  RestoredMeanwhile,
  UnitOfWork,
  withEvents,
  withStoredEvents,
  type WorkResult,
  type Transaction,
} from './unit-of-work.js';
export { requireGalleyTables, requireUnicode } from './completeness/galley-tables.js';
export { findUnfinishedRestore, UNFINISHED_RESTORE } from './completeness/unfinished-restore.js';
export { untilShortChunk } from './until-short-chunk.js';
