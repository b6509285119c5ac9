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
export { blockTypeNames, drawBlock, overridesOf } from './mjml/blocks/blocks.js';
export { darkInside, readOverrides } from './mjml/overrides/overrides.js';
export { COLUMNS } from './mjml/components/columns.js';
export { fullPreset } from './mjml/components/galley-preset.js';
export { MAX_CSS_LENGTH } from './mjml/css-value.js';
export { FONT_FORMATS, FONT_NAME, FONT_STYLES, FONT_WEIGHT, MAX_FONTS } from './mjml/fonts.js';
export { Drawing } from './mjml/drawing.js';
export {
  darkProperties,
  hoverProperties,
  mobileProperties,
  targetsOf,
} from './mjml/overrides/targets.js';
export { CSS_PROPERTIES, HTML_TAGS, richText, safeHtml, TEXT_TAGS } from './mjml/rich-text.js';
export { widthInside } from './mjml/widths.js';
export { readStyles, textStylesOf, type Surroundings } from './mjml/styles.js';
