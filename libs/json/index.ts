// JSON documents that are kept as text, byte for byte, and the comparison of two documents.
export {
  compareDocuments,
  createJsonPatch,
  type DocumentComparison,
} from './comparison/compare-documents.js';
export { changeTypes } from './comparison/change-writer.js';
export { matchReasons } from './comparison/document-pair.js';
export { JsonText } from './json-text.js';
