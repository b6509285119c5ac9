/*
 * The lowest layer of libs/rendering: the nodes of a document, warnings about nodes, result formats, and functions that
 * escape text and check URLs.
 */
export {
  BLOCK_PADDING,
  CONTENT_WIDTHS,
  DEFAULT_BACKGROUND,
  DEFAULT_WIDTH,
  defaultProperties,
  defaultTextStyles,
  FONT_SIZES,
  inherit,
  LINE_HEIGHTS,
  propertiesOfOneNode,
  styledNodes,
  textStyleNames,
  type Attributes,
  type StyledNode,
  type TextStyles,
} from './default-styles.js';
export { directionOf, directions, MAX_LANGUAGE_LENGTH, type Direction } from './direction.js';
export { escapeMarkup, escapeText } from './escape.js';
export { inboxTexts, type InboxText } from './inbox-texts.js';
export {
  asText,
  isObject,
  missingModule,
  nodeIdOf,
  objectIn,
  textIn,
  type DocumentNode,
  type Place,
} from './nodes.js';
export {
  MAX_RESULT_CHARACTERS,
  RESULT_TOO_LARGE,
  renderFormats,
  resultFormats,
  type RenderFormat,
  type ResultFormat,
} from './render-formats.js';
export { RenderWarnings, type RenderWarning } from './render-warnings.js';
export { isBaseUrl, isSafeUrl, SCHEMES } from './safe-url.js';
export { Undrawable } from './undrawable.js';
