/*
 * The JSON Schema of documents, derived from the elements and attributes that `drawing` draws. `npm run generate`
 * writes it to docs/schemas.
 */
export { documentSchema } from './document-schema.js';
