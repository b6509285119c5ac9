// The things that templates and modules have in common, as functions over a `DocumentType`: lists, reads,
// writes, batches, versions, the trash, and the SQL of the documents themselves. Features of only one type (categories)
// are in libs/templates and libs/modules.
export type { Batch, OperationResult } from './batch-operations.js';
export { changeTypes } from './comparison/change-writer.js';
export { matchReasons } from './comparison/document-pair.js';
export {
  compareVersions,
  patchBetweenVersions,
  type CompareRequest,
  type VersionComparison,
  type VersionSelector,
} from './versions/compare-versions.js';
export {
  documentKinds,
  eventData,
  FIRST_SEQUENCE,
  nextRow,
  type Document,
  type DocumentChange,
  type DocumentKind,
  type DocumentSummary,
  type DocumentType,
  type WritableFields,
} from './document-type.js';
export {
  getVersion,
  listVersions,
  restoredModules,
  restoreVersion,
  type ListVersionsRequest,
  type RestoredModules,
  type Version,
} from './versions/document-versions.js';
export { labelVersion, type VersionLabels } from './versions/label-version.js';
export { DocumentStore } from './document-store.js';
export { DocumentsModule } from './documents.module.js';
export { JsonText } from './json-text.js';
export { sortOrders, type Sort, type SyncPage } from './lists/list-order.js';
export { getDocument, getExpandedDocument } from './read-documents.js';
export { listDocuments, type ListDocumentsRequest } from './lists/list-documents.js';
export { tagMatches, type TagMatch } from './lists/document-filters.js';
export { expandProblems, type ExpandProblem, type ExpandWarning } from './references/expand.js';
export { expandRows, type Expand, type Expanded } from './references/expand-documents.js';
export { listUsages, type ModuleUsage } from './references/list-usages.js';
export { movePins } from './references/move-pins.js';
export { referencesOf } from './references/store-references.js';
export {
  searchDocuments,
  type SearchRequest,
  type SearchResult,
} from './search/search-documents.js';
export { SearchIndexer } from './search/search-indexer.js';
export type { HighlightPart } from './search/search-query.js';
export { listTags, type TagUsage } from './tags/list-tags.js';
export { replaceTag, type TagChange } from './tags/replace-tag.js';
export { exportDocuments, takeExportTime } from './transfer/export-documents.js';
export {
  importDocument,
  importVersions,
  type ImportedDocument,
  type ImportedVersion,
} from './transfer/import-documents.js';
export { VersionPurge } from './trash/version-purge.js';
export { listTrash, type TrashedDocument } from './trash/list-trash.js';
export {
  purgeFromTrash,
  restoreFromTrash,
  type RestoredDocument,
} from './trash/restore-from-trash.js';
export { writeBatch, type DocumentBatch } from './write-batch.js';
export {
  createDocument,
  deleteDocument,
  deleteDocuments,
  duplicateDocument,
  lockDocument,
  replaceDocument,
  updateDocument,
  type DuplicateOptions,
} from './write-documents.js';
