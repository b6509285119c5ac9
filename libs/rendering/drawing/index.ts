/*
 * Draws a document as MJML, and decides which values may reach the HTML. `compile.ts` is the entry point of a worker
 * thread and generates HTML, plain text and MJML. Code outside the threads imports only types from this folder, because
 * importing values loads MJML.
 */
export type { CompiledDocument, Source, ThreadData } from './compile.js';
export { isAllowed, maxLengthOf } from './mjml/attribute-values.js';
export { attributeTypes, isDrawable } from './mjml/attributes.js';
export { blockTypeNames } from './mjml/blocks.js';
export { richText, safeHtml } from './mjml/rich-text.js';
