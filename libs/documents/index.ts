// The things that templates and modules have in common, as functions over a `DocumentType`: lists, reads,
// writes, batches, and the SQL of the documents themselves. What only one of them has (versions, categories)
// is in libs/templates and libs/modules.
export type { Batch, OperationResult } from './batch-operations.js';
export { contentInPage, pageWindow } from './content-in-page.js';
export {
  eventData,
  FIRST_SEQUENCE,
  nextRow,
  type Document,
  type DocumentChange,
  type DocumentSummary,
  type DocumentType,
  type WritableFields,
} from './document-type.js';
export { JsonText } from './json-text.js';
export { sortOrders, type Sort, type SyncPage } from './list-order.js';
export { getDocument, listDocuments, type ListDocumentsRequest } from './read-documents.js';
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
