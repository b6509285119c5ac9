export { freeCopyName, originalName } from './copy-name.js';
export { Database } from './database.js';
export { DatabaseModule } from './database.module.js';
export { JsonText } from './json-text.js';
export { Keyset, type Page, type PageRequest } from './keyset.js';
export { migrate } from './migrate.js';
export {
  noEvent,
  UnitOfWork,
  withEvents,
  type Statement,
  type Transaction,
} from './unit-of-work.js';
