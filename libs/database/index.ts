export {
  changesAmong,
  comparable,
  inParts,
  outcomeOf,
  stepsOf,
  type Batch,
  type Result,
} from './batch.js';
export { awaitDatabase } from './connect.js';
export { freeCopyName, originalName } from './copy-name.js';
export { Database, type Query } from './database.js';
export { DatabaseModule } from './database.module.js';
export { inSlices } from './event-loop.js';
export {
  IdempotencyKeys,
  KEY_IN_USE,
  Replayed,
  type Once,
  type Right,
} from './idempotency-keys.js';
export { JsonText } from './json-text.js';
export { Keysets, NEWEST_ID, type Page, type PageRequest } from './keyset.js';
export { listOrder, sorts, type Sort, type SortedRequest, type SyncPage } from './list-order.js';
export { migrate } from './migrate.js';
export { migrations } from './migrations/index.js';
export { contentInPage, PAGE_BYTES, pageSoFar } from './page-bytes.js';
export { firstIdAt, partitionsBetween } from './partition-plan.js';
export { Partitions } from './partitions.js';
export { isAsSeen, touched, touchedInTime } from './touched.js';
export {
  noEvent,
  UnitOfWork,
  withEvents,
  withRecordedEvents,
  type Statement,
  type Transaction,
} from './unit-of-work.js';
