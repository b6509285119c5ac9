/* The JSON Schema of documents, made from what `drawing` draws. `npm run generate` writes it to docs/schemas. */
export { documentSchema } from './document-schema.js';
