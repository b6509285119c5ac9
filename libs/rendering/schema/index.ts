/*
 * The JSON Schema of documents, derived from the elements and attributes that `drawing` draws. `npm run generate`
 * writes the schema to docs/schemas.
 */
export { documentSchema } from './document-schema.js';
