/*
 * HTML from documents. `mjml` draws a document as MJML, with pure functions. `text` makes plain text.
 * `compile.ts` makes the HTML from the MJML, and `renderer.ts` runs it in threads. `rendering.ts` renders templates for a caller.
 */
export { Rendering, renderFormats, type RenderFormat, type Rendered } from './rendering.js';
export { RenderingModule } from './rendering.module.js';
export type { RenderWarning } from './mjml/drawing.js';
