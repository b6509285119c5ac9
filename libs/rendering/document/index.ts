/*
 * What all other folders know of a document and of its results: the nodes, warnings about them, the formats, and how a
 * text or an address is made safe for HTML.
 */
export { escapeMarkup, escapeText } from './escape.js';
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
  renderFormats,
  resultFormats,
  type RenderFormat,
  type ResultFormat,
} from './render-formats.js';
export { RenderWarnings, type RenderWarning } from './render-warnings.js';
export { isSafeUrl, SCHEMES } from './safe-url.js';
export { Undrawable } from './undrawable.js';
