// Keeps JSON documents as text, byte for byte. Compares two documents and creates JSON Patches.
export {
  compareDocuments,
  createJsonPatch,
  type DocumentComparison,
} from './comparison/compare-documents.js';
export { changeTypes } from './comparison/change-writer.js';
export { matchReasons } from './comparison/document-pair.js';
export { JsonText } from './json-text.js';
