/*
 * HTML and plain text from documents. `mjml` draws a document as MJML, and `text` makes plain text, both with pure
 * functions. `compile.ts` makes HTML from the MJML, and `renderer.ts` runs it in threads and keeps the results.
 * `personalisation` puts data in the place of merge tags. `rendering.ts` renders templates for a caller.
 */
export { renderFormats, type RenderFormat } from './render-formats.js';
export { Rendering } from './rendering.js';
export { RenderingModule } from './rendering.module.js';
export type { MergeData } from './personalisation/personalise.js';
export type { RenderedDocument, Variables } from './renderer.js';
export type { RenderWarning } from './mjml/drawing.js';
