// JSON documents as text, byte for byte, and the comparison of two of them.
export {
  compareDocuments,
  createJsonPatch,
  type DocumentComparison,
} from './comparison/compare-documents.js';
export { changeTypes } from './comparison/change-writer.js';
export { matchReasons } from './comparison/document-pair.js';
export { JsonText } from './json-text.js';
