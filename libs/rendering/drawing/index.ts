/*
 * Draws a document as MJML, and decides which values may reach the HTML. `compile.ts`, in which a thread starts, makes
 * HTML, plain text and MJML. Code that runs in no thread imports only types from this folder, because values load MJML.
 */
export type { CompiledDocument, Source, ThreadData } from './compile.js';
export { isAllowed, maxLengthOf } from './mjml/attribute-values.js';
export { attributeTypes, isDrawable } from './mjml/attributes.js';
export { blockTypeNames } from './mjml/blocks.js';
export { richText, safeHtml } from './mjml/rich-text.js';
