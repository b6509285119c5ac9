/*
 * Draws a document as MJML, and decides which values may reach the HTML. `compile.ts` is the entry point of a worker
 * thread and generates HTML, plain text and MJML. Code outside the threads imports only types from this folder, because
 * importing values loads MJML.
 */
export type { CompiledDocument, Source, ThreadData } from './compile.js';
export { isAllowed, maxLengthOf } from './mjml/attribute-values.js';
export {
  attributeTypes,
  hasEffect,
  isAlignment,
  isDrawable,
  TABLE_COLUMN,
} from './mjml/attributes.js';
export { isBlockType, styleBlock, type BlockType } from './mjml/blocks/block.js';
export { blockTypeNames } from './mjml/blocks/blocks.js';
export { Drawing } from './mjml/drawing.js';
export { richText, safeHtml } from './mjml/rich-text.js';
export { readStyles, textStylesOf, type DocumentStyles } from './mjml/styles.js';
