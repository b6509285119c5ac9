export { freeCopyName, originalName } from './copy-name.js';
export { Database, type Query } from './database.js';
export { DatabaseModule } from './database.module.js';
export { JsonText } from './json-text.js';
export { Keyset, type Page, type PageRequest } from './keyset.js';
export { migrate } from './migrate.js';
export { migrations } from './migrations/index.js';
export { firstIdAt, partitionsBetween } from './partition-plan.js';
export { Partitions } from './partitions.js';
export { touched } from './touched.js';
export {
  noEvent,
  UnitOfWork,
  withEvents,
  withRecordedEvents,
  type Statement,
  type Transaction,
} from './unit-of-work.js';
