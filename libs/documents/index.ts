/*
 * Stores templates and modules. `Documents` reads and writes them, one at a time or in batches, and maintains their
 * versions and events. The folder `document` defines how the two kinds differ. The other folders contain writes, lists,
 * references to modules and the updates of these references, search, tags, the trash, versions, and import and export.
 * `libs/publishing` publishes templates.
 */
export { DocumentStore } from './document/document-store.js';
export {
  MODULE,
  TEMPLATE,
  type Document,
  type DocumentType,
  type NewDocument,
} from './document/document-type.js';
export { Documents } from './documents.js';
export { matchesExternalId } from './document/external-ids.js';
export { DocumentsModule } from './documents.module.js';
export {
  documentKinds,
  isOfKind,
  textFieldsOf,
  type DocumentKind,
  type Texts,
} from './document/fields.js';
export { tagMatches, type TagMatch } from './lists/document-filters.js';
export { sortOrders, type Sort } from './lists/list-order.js';
export { expandRows, type Expand, type Expanded } from './references/expand-documents.js';
export { expandProblems, type ExpandProblem, type ExpandWarning } from './references/expand.js';
export type { ModuleUsage } from './references/list-usages.js';
export type { SearchResult } from './search/search-documents.js';
export { observeSearchBacklog } from './search/observe-queue.js';
export { SearchIndexer } from './search/search-indexer.js';
export type { HighlightPart } from './search/search-query.js';
export { Search } from './search/search.js';
export type { TagUsage } from './tags/list-tags.js';
export type { TagChange } from './tags/replace-tag.js';
export { Tags } from './tags/tags.js';
export { exportDocuments, takeExportTime } from './transfer/export-documents.js';
export {
  importDocument,
  importVersions,
  type ImportedDocument,
  type ImportedVersion,
} from './transfer/import-documents.js';
export type { TrashedDocument } from './trash/list-trash.js';
export type { RestoredDocument } from './trash/restore-from-trash.js';
export { Trash } from './trash/trash.js';
export { VersionPurge } from './trash/version-purge.js';
export { UsageUpdateJob } from './usage-updates/usage-update-job.js';
export {
  UsageUpdates,
  type UsageUpdate,
  type UsageUpdateFailure,
} from './usage-updates/usage-updates.js';
export type {
  CompareRequest,
  VersionComparison,
  VersionSelector,
} from './versions/compare-versions.js';
export { restoredModules, type RestoredModules } from './versions/document-versions.js';
export type { DocumentBatch } from './write/write-batch.js';
